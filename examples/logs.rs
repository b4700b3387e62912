//! Logs of a server. They are written to stderr, because stdout is used for the protocol. `RUST_LOG` sets the level.
//!
//! ```sh
//! RUST_LOG=debug cargo run --example logs -- call look_up word=egg
//! ```

use std::process::ExitCode;

use mcp_core::{Builder, Server, tool, tools};
use tracing::{debug, info, info_span, warn};

const WORDS: [(&str, &str); 2] = [("egg", "Ei"), ("tea", "Tee")];

/// Look up a word in the dictionary.
#[tool(read_only)]
fn look_up(
    /// an English word
    word: String,
) -> Option<&'static str> {
    let _span = info_span!("look_up", word).entered();
    info!(words = WORDS.len(), "looking it up");
    let found = WORDS.iter().find(|(english, _)| *english == word).map(|(_, german)| *german);
    match found {
        Some(_) => debug!("found\nit"),
        None => warn!("the word is not in the dictionary"),
    }
    found
}

/// Builds the server.
pub fn server() -> Builder {
    Server::builder("logs", env!("CARGO_PKG_VERSION")).tools(tools![look_up])
}

fn main() -> ExitCode {
    mcp_stdio::logs();
    mcp_stdio::run(server())
}
