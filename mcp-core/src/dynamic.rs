//! Tools, prompts and resources that are written by hand or made at run time, without the attributes.
//!
//! Most programs need only [`tool_fn`](crate::tool_fn), [`prompt_fn`](crate::prompt_fn) and
//! [`resource_fn`](crate::resource_fn) for that. The traits here are what the attributes and these functions implement.

pub use crate::prompt::{IntoPrompt, Prompt, PromptArgument, PromptCall, PromptOutcome};
pub use crate::resource::{IntoContents, ReadCall, ReadOutcome, Resource};
pub use crate::tool::future::ToolFuture;
pub use crate::tool::header_param::HeaderParam;
pub use crate::tool::output::ToolOutput;
pub use crate::tool::requirement::Requirement;
pub use crate::tool::{Call, Tool};
