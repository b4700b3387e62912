//! Moves the pinned versions of the CLI and of the official SDK, and writes the page that compares the SDK with this project.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a program for the command line")]

use std::error::Error;
use std::fs;
use std::process::ExitCode;

use agent_parity::{PAGE, Pin, Table, page, shapes};
use test_env::workspace;

const USAGE: &str = "usage: cargo run -p agent-parity -- COMMAND

page            writes docs/agent-parity.md from tools/agent-parity/parity.toml
wire            prints what the pinned CLI sends in a session with a scripted model: one line for each field
pin [VERSION]   moves the pinned CLI and SDK to a version of the CLI, by default the newest, and prints what changed in the
                declarations of the SDK and on the wire. Then run `cargo test -p agent-parity`: it lists the gaps. The version of
                the SDK for Python is in python/requirements.txt, with the hash of its source package, and is changed by hand.";

#[tokio::main]
async fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match arguments.as_slice() {
        ["page"] => write_page(),
        ["wire"] => print_wire().await,
        ["pin"] => Pin::to(None).and_then(|report| print(&report)),
        ["pin", version] => Pin::to(Some(version)).and_then(|report| print(&report)),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::FAILURE;
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn write_page() -> Result<(), Box<dyn Error>> {
    fs::write(workspace().join(PAGE), page(&Table::read()?))?;
    Ok(())
}

async fn print_wire() -> Result<(), Box<dyn Error>> {
    for shape in shapes().await? {
        println!("{shape}");
    }
    Ok(())
}

#[expect(clippy::unnecessary_wraps, reason = "a step of a chain of results")]
fn print(report: &str) -> Result<(), Box<dyn Error>> {
    println!("{report}");
    Ok(())
}
