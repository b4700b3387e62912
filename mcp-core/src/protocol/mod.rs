//! The wire types of MCP: content, capabilities, descriptions, revisions. They contain no logic.

mod client;
mod content;
mod description;
mod logging;
pub(crate) mod meta;
mod prompts;
mod revision;

pub(crate) use client::Client;
pub use client::{ClientCapabilities, ElicitationCapability};
pub use content::{Annotations, Content, EmbeddedResource, Media, ResourceContents, ResourceLink, Role, Text};
pub use description::{Icon, Implementation, Theme, ToolAnnotations};
pub use logging::LogLevel;
pub use prompts::{PromptMessage, PromptResult};
pub use revision::Revision;
