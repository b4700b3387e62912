//! `cargo mcp new NAME` creates a server project, `cargo mcp dev` serves one and rebuilds it when its source changes, and
//! `cargo mcp list`, `call`, `read`, `prompt` and `complete` use any MCP server. `cargo mcp inspect` shows one in the browser.

mod client;
mod dev;
mod inspect;
mod new;
mod release;
mod sys;

use std::io::Write;
use std::process::ExitCode;

const HELP: &str = "\
Create MCP servers, develop them while a client is connected, and use any MCP server.

  cargo mcp new NAME [--template TEMPLATE] [--path FOLDER | --git URL]
      create a project with a tool, tests, a snapshot of the tools, a CI workflow and a git repository
      TEMPLATE is minimal (one file), http (serves over HTTP too), sqlite (a database) or agent (runs the Claude Code CLI)
      the framework is not on crates.io yet: the project takes it from FOLDER or from the git repository at URL,
      and without them from the folder that this program was built from:
      BUILT_FROM
  cargo mcp dev [CARGO BUILD OPTION ...] [-- SERVER ARGUMENT ...]
      serve the project in this folder over standard input and output; rebuild and restart it when its source changes
  cargo mcp release [--target TARGET ...] [--out FOLDER] [--no-build] [--profile PROFILE]
      build the project in this folder and write what publishing it needs: a .mcpb bundle for each target (default: this machine),
      SHA256SUMS, server.json for the MCP registry and a Claude Code plugin; --no-build describes the bundles that are in FOLDER
  cargo mcp release --setup
      add the metadata of releases and of cargo-binstall to Cargo.toml, and a workflow for GitHub

  cargo mcp inspect SERVER [--port PORT] [--no-open]
      open a page in the browser that shows the server, calls it, and shows every message
  cargo mcp list SERVER
      print the tools, resources, templates and prompts of a server
  cargo mcp call SERVER TOOL [NAME=VALUE ...] [JSON] [--output FILE]
      call a tool; nested values: address.city=Bern tags[]=new points[0].x=1 text=@FILE text=@-
  cargo mcp read SERVER URI [--output FILE]
      print a resource, or save it
  cargo mcp prompt SERVER NAME [ARGUMENT=TEXT ...]
      print the messages of a prompt
  cargo mcp complete SERVER PROMPT|TEMPLATE ARGUMENT [TEXT] [NAME=TEXT ...]
      print the values that complete an argument

SERVER is a name in the .mcp.json of this project, a URL, or a command in quotes: \"npx -y some-server\".
Without SERVER, the words after -- are the command: cargo mcp list -- npx -y some-server

  --json              print JSON
  --verbose           print log messages and the standard error of the server
  --config FILE       use this file instead of the .mcp.json of the project
  --header 'N: V'     send a header; variables such as ${TOKEN} are replaced (URL)
  --env NAME[=VALUE]  set an environment variable, or pass one on (command)
  --sse               use the HTTP transport of 2024-11-05 (URL)
  --revision DATE     use only this revision of MCP
  --timeout SECONDS   give up after this time without an answer

The status is 0, or 1 if the tool or the server failed, or 2 if the command line is invalid.
";

/// The names of all commands.
const COMMANDS: [&str; 10] = ["new", "dev", "release", "inspect", "list", "call", "read", "prompt", "complete", "help"];

fn main() -> ExitCode {
    // Cargo runs this program as `cargo-mcp mcp ...`.
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    if words.first().is_some_and(|word| word == "mcp") {
        words.remove(0);
    }
    // Arguments after `--` are for the server.
    let wants_help = words.iter().take_while(|word| *word != "--").any(|word| word == "--help" || word == "-h");
    let outcome = match words.first().map(String::as_str) {
        _ if wants_help => say(&help()),
        Some("new") => new::run(&words[1..]),
        Some("dev") => dev::run(&words[1..]),
        Some("inspect") => inspect::run(&words[1..]),
        Some("release") => release::run(&words[1..]),
        Some(name @ ("list" | "call" | "read" | "prompt" | "complete")) => client::run(name, &words[1..]),
        Some("--version" | "-V") => say(&format!("cargo-mcp {}\n", env!("CARGO_PKG_VERSION"))),
        None | Some("help") => say(&help()),
        Some(word) => Err(unknown(word)),
    };
    outcome.map_or_else(
        |failure| {
            tell(&failure.reason);
            ExitCode::from(failure.status)
        },
        |()| ExitCode::SUCCESS,
    )
}

fn help() -> String {
    HELP.replace("BUILT_FROM", &new::built_from())
}

fn unknown(word: &str) -> Failure {
    let advice = match mcp_cli::parts::nearest(word, COMMANDS) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("the commands are {}", COMMANDS.join(", ")),
    };
    Failure::usage(format!("unknown command `{word}`; {advice} (see --help)"))
}

/// An error message for the user, and the exit status.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) reason: String,
    pub(crate) status: u8,
}

impl Failure {
    /// Creates the failure for an invalid command line, with exit status 2.
    pub(crate) fn usage(reason: impl Into<String>) -> Failure {
        Failure { reason: reason.into(), status: 2 }
    }

    /// Creates the failure of a command, with exit status 1.
    pub(crate) fn new(reason: impl Into<String>) -> Failure {
        Failure { reason: reason.into(), status: 1 }
    }
}

/// Returns the cargo that runs this program, or the one on the search path.
pub(crate) fn cargo() -> std::ffi::OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

/// Prints a message to stderr. Standard output is used for the protocol by `cargo mcp dev`.
pub(crate) fn tell(text: &str) {
    // If stderr is closed, there is no place to report that.
    let _ = writeln!(std::io::stderr(), "cargo mcp: {text}");
}

pub(crate) fn say(text: &str) -> Result<(), Failure> {
    std::io::stdout().write_all(text.as_bytes()).map_err(|error| Failure::new(error.to_string()))
}
