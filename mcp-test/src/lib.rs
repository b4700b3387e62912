//! An in-memory client for testing MCP tools.
