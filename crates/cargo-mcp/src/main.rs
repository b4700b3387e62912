//! `cargo mcp new NAME` creates a server project; `cargo mcp dev` serves one and rebuilds it when its source changes.

mod dev;
mod new;

use std::io::Write;
use std::process::ExitCode;

const HELP: &str = "\
Create MCP servers, and develop them while a client is connected.

  cargo mcp new NAME [--path FOLDER | --git URL]
      create a project with one tool and its tests; it depends on the crates in FOLDER or in the git repository at URL
      (default: the folder that this program was built from)
  cargo mcp dev [CARGO BUILD OPTION ...] [-- SERVER ARGUMENT ...]
      serve the project in this folder over standard input and output; rebuild and restart it when its source changes
";

fn main() -> ExitCode {
    // Cargo runs this program as `cargo-mcp mcp ...`.
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    if words.first().is_some_and(|word| word == "mcp") {
        words.remove(0);
    }
    // Arguments after `--` are for the server.
    let wants_help = words.iter().take_while(|word| *word != "--").any(|word| word == "--help" || word == "-h");
    let outcome = match words.first().map(String::as_str) {
        _ if wants_help => say(HELP),
        Some("new") => new::run(&words[1..]),
        Some("dev") => dev::run(&words[1..]),
        Some("--version" | "-V") => say(&format!("cargo-mcp {}\n", env!("CARGO_PKG_VERSION"))),
        None | Some("help") => say(HELP),
        Some(word) => Err(Failure::usage(format!("unknown command `{word}`; the commands are `new` and `dev`"))),
    };
    outcome.map_or_else(
        |failure| {
            tell(&failure.reason);
            ExitCode::from(failure.status)
        },
        |()| ExitCode::SUCCESS,
    )
}

/// An error message for the user, and the exit status.
#[derive(Debug)]
pub(crate) struct Failure {
    reason: String,
    status: u8,
}

impl Failure {
    /// The command line is invalid: status 2.
    pub(crate) fn usage(reason: impl Into<String>) -> Failure {
        Failure { reason: reason.into(), status: 2 }
    }

    /// The command failed: status 1.
    pub(crate) fn new(reason: impl Into<String>) -> Failure {
        Failure { reason: reason.into(), status: 1 }
    }
}

/// Prints a message to stderr. Standard output is used for the protocol by `cargo mcp dev`.
pub(crate) fn tell(text: &str) {
    // If stderr is closed, there is no place to report that.
    let _ = writeln!(std::io::stderr(), "cargo mcp: {text}");
}

fn say(text: &str) -> Result<(), Failure> {
    std::io::stdout().write_all(text.as_bytes()).map_err(|error| Failure::new(error.to_string()))
}
