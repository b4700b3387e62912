//! A server whose tools and resources change while it is running: the tool `load` adds the tool `greet`, and clients are
//! notified. This is the code of `docs/live-servers.md`; a test compares the two.
//!
//! ```sh
//! cargo run --example live -- tools
//! ```

use std::process::ExitCode;
use std::sync::{Arc, OnceLock};

use mcp_core::{Builder, Context, Live, Server, ToolError, resource, resources, tool, tools};

#[derive(Clone, Default)]
struct Plugins(Arc<OnceLock<Live>>);

/// Load the plugin that greets.
#[tool]
fn load(plugins: &Plugins) -> Result<&'static str, ToolError> {
    let live = plugins.0.get().ok_or("the server is not live yet")?;
    live.replace(offers(plugins).tools(tools![greet]))?;
    Ok("loaded")
}

/// Greet somebody.
#[tool]
fn greet(name: String) -> String {
    format!("Hello, {name}!")
}

/// Write on the board.
#[tool]
fn write(cx: &Context) {
    cx.resource_updated("board://");
}

/// The text on the board.
#[resource("board://")]
fn board() -> &'static str {
    "hello"
}

fn offers(plugins: &Plugins) -> Builder {
    let server = Server::builder("plugins", env!("CARGO_PKG_VERSION")).state(plugins.clone());
    server.tools(tools![load, write]).resources(resources![board])
}

pub fn server() -> Live {
    let plugins = Plugins::default();
    let live = Live::new(offers(&plugins)).expect("the server is valid");
    plugins.0.get_or_init(|| live.clone());
    live
}

fn main() -> ExitCode {
    mcp_stdio::run(server())
}
