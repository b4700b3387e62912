//! Measures a server of this framework beside a hand-written one and its peers, and writes `docs/performance.md`.
//!
//! ```sh
//! cargo run --release --package benches -- run            # everything
//! cargo run --release --package benches -- run --quick    # fewer rounds
//! cargo run --release --package benches -- run calls --only floor,ours
//! cargo run --release --package benches -- report         # only writes the page, from the last run
//! ```
//!
//! Every round measures a little of each server, so that a change in the load of the machine affects all of them alike. Every
//! response is checked. The page compares the ratios between two servers in the same round.
//! Linux only: memory and processor time are read from `/proc` and from clocks of other processes.

mod affinity;
mod agents;
mod builds;
mod clients;
mod command;
mod contender;
mod dialect;
mod fault;
mod folders;
mod instructions;
mod measure;
mod metric;
mod peers;
mod pending;
mod plot;
mod process;
mod progress;
mod record;
mod reply;
mod report;
mod response_timeout;
mod run;
mod statistics;
mod work;

use std::env;
use std::process::ExitCode;

use anyhow::{Result, bail};

use command::{Action, Command, USAGE};
use folders::Folders;
use progress::say;
use record::Store;

fn main() -> ExitCode {
    let command = match Command::parse(env::args().skip(1)) {
        Ok(command) => command,
        Err(error) => {
            say(format_args!("{error:#}\n\n{USAGE}"));
            return ExitCode::from(2);
        }
    };
    match act(&command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say(format_args!("{error:#}"));
            ExitCode::FAILURE
        }
    }
}

fn act(command: &Command) -> Result<()> {
    let folders = Folders::new(command.dev);
    let store = Store::new(command.results.clone().unwrap_or_else(|| folders.folder().join("results")))?;
    let docs = command.docs.clone().unwrap_or_else(|| folders.root.join("docs"));
    match &command.action {
        Action::Run(parts) => {
            let failed = run::run(&folders, command, parts, &store, &docs)?;
            if !failed.is_empty() {
                bail!("{}", failed.join("\n"));
            }
            Ok(())
        }
        Action::Report => report::write(&store, &docs),
    }
}
