//! Drive the Claude Code CLI and mount MCP servers in-process.

mod argv;
mod error;
mod transport;

pub use argv::{Arg, Invocation};
pub use error::StartError;
pub use transport::{Connection, Ending, Input, Output, Patience, Peer, Pending, Transport};
