//! MCP configuration files: `.mcp.json`, and `mcpServers` in settings.

mod entry;
mod expand;
mod file;

pub use entry::{HttpEntry, McpEntry, SdkEntry, StdioEntry};
pub use expand::UnsetVariable;
pub use file::{McpConfig, McpConfigError};

pub(crate) use expand::variables;
