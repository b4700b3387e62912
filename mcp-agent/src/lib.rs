//! Drive the Claude Code CLI and mount MCP servers in-process.
