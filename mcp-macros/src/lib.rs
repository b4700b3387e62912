//! The attributes of mcp-core.
