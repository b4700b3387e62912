//! Serve an mcp-core server over standard input and output.
