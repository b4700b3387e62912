//! The code of `docs/shipping.md`.

use std::process::ExitCode;

use mcp_core::{Builder, server};
use mcp_stdio::{Command, Stdio};

fn main() -> ExitCode {
    let words: Vec<_> = std::env::args_os().skip(1).collect();
    if words.first().is_some_and(|word| word == "migrate") {
        return migrate();
    }
    match Command::parse(words) {
        Ok(Some(command)) => command.run(&server!().build().expect("it has no tools yet")).unwrap_or(ExitCode::FAILURE),
        Ok(None) => Stdio::new().command_line(false).run(server!()),
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

fn migrate() -> ExitCode {
    ExitCode::SUCCESS
}
