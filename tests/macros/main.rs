//! What `#[tool]`, `#[toolset]` and `tools![]` make, seen through a server.

mod functions;
mod host;
mod sets;
