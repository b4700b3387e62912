//! `cargo mcp new NAME` begins a server project; `cargo mcp dev` serves one while it is being written.

mod dev;
mod new;

use std::io::Write;
use std::process::ExitCode;

const HELP: &str = "\
Begin MCP servers, and write them while a client is connected.

  cargo mcp new NAME [--path FOLDER | --git URL]
      make a project with a tool, a test and a snapshot; the framework comes from a folder or a git repository
  cargo mcp dev [CARGO BUILD OPTION ...] [-- SERVER ARGUMENT ...]
      serve the project in this folder over standard input and output; build and swap it whenever its source changes
";

fn main() -> ExitCode {
    // Cargo calls us as `cargo-mcp mcp ...`.
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    if words.first().is_some_and(|word| word == "mcp") {
        words.remove(0);
    }
    // What follows is for the server.
    let asks = words.iter().take_while(|word| *word != "--").any(|word| word == "--help" || word == "-h");
    let outcome = match words.first().map(String::as_str) {
        _ if asks => say(HELP),
        Some("new") => new::run(&words[1..]),
        Some("dev") => dev::run(&words[1..]),
        Some("--version" | "-V") => say(&format!("cargo-mcp {}\n", env!("CARGO_PKG_VERSION"))),
        None | Some("help") => say(HELP),
        Some(word) => Err(Failure::usage(format!("there is no command `{word}`; there are new and dev"))),
    };
    outcome.map_or_else(
        |failure| {
            tell(&failure.reason);
            ExitCode::from(failure.status)
        },
        |()| ExitCode::SUCCESS,
    )
}

/// Why it did not work, for the person at the keyboard.
#[derive(Debug)]
pub(crate) struct Failure {
    reason: String,
    status: u8,
}

impl Failure {
    /// It was called as it cannot be called.
    pub(crate) fn usage(reason: impl Into<String>) -> Failure {
        Failure { reason: reason.into(), status: 2 }
    }

    /// It was called rightly, and still.
    pub(crate) fn new(reason: impl Into<String>) -> Failure {
        Failure { reason: reason.into(), status: 1 }
    }
}

/// Says something to the author: standard output may be the client's.
pub(crate) fn tell(text: &str) {
    // Nobody can be told if this fails.
    let _ = writeln!(std::io::stderr(), "cargo mcp: {text}");
}

fn say(text: &str) -> Result<(), Failure> {
    std::io::stdout().write_all(text.as_bytes()).map_err(|error| Failure::new(error.to_string()))
}
