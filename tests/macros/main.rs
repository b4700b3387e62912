//! What `#[tool]`, `#[toolset]` and `tools![]` make, seen through a server.

mod functions;
mod generic;
mod host;
mod params;
mod results;
mod sets;
mod settings;
