//! What `#[tool]`, `#[toolset]` and `tools![]` make, seen through a server.

mod asking;
mod functions;
mod generic;
mod params;
mod results;
mod sets;
mod settings;
