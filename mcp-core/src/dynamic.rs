//! Traits and types for tools, prompts and resources that are implemented by hand or created at run time.
//!
//! Most programs use the attributes, or [`tool_fn`](crate::tool_fn), [`prompt_fn`](crate::prompt_fn) and
//! [`resource_fn`](crate::resource_fn). Both implement the traits of this module.

pub use crate::prompt::{IntoPrompt, Prompt, PromptArgument, PromptCall, PromptOutcome};
pub use crate::resource::{IntoContents, ReadCall, ReadOutcome, Resource};
pub use crate::tool::future::ToolFuture;
pub use crate::tool::header_param::HeaderParam;
pub use crate::tool::requirement::Requirement;
pub use crate::tool::{Call, Tool};
