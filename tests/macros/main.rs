//! Tests of `#[tool]`, `#[prompt]`, `#[resource]` and `#[toolset]` through a server.

mod asking;
mod forms;
mod functions;
mod generic;
mod params;
mod prompts;
mod resources;
mod results;
mod settings;
mod toolsets;
mod typed_client;
