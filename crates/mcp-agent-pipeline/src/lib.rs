//! The stages of a tool call, for tools that a program mounts or serves.
//!
//! What the CLI does around its own tools, a [`Pipeline`] does around yours, as a hook of the server: invocation, hooks
//! before, permission, validation of the input by the tool's own schema, checks, execution, hooks after, result. Every stage is a
//! `tracing` span with names and sizes, never with values.
//!
//! ```
//! use mcp_agent_pipeline::{Files, Pipeline};
//! use mcp_agent_rules::{Layer, Rules};
//! use mcp_core::Server;
//!
//! let rules = Rules::new("/code").allow(Layer::Session, "mcp__files__*")?.deny(Layer::Session, "Edit(.env)")?;
//! let pipeline = Pipeline::new()
//!     .rules("files", rules)
//!     .files(Files::new("/code").reads("read", "path").writes("write", "path").edits("edit", "path", "old", "replace_all"))
//!     .after(|call, result| println!("{} failed: {}", call.tool, result.is_error));
//! let server = Server::builder("files", "1.0.0").hook(pipeline);
//! # let _ = server;
//! # Ok::<(), mcp_agent_rules::RuleError>(())
//! ```

mod files;
mod invocation;
mod pipeline;
mod seen;

pub use files::Files;
pub use invocation::{Invocation, Refusal};
pub use pipeline::Pipeline;
