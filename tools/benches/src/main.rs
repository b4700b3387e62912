//! Measures a server of this framework beside a hand-written one and its peers, and writes `docs/performance.md`.
//!
//! ```sh
//! cargo run --release --package benches -- run            # everything
//! cargo run --release --package benches -- run --quick    # a first impression
//! cargo run --release --package benches -- run calls --only floor,ours
//! cargo run --release --package benches -- report         # the page, of what was measured last
//! ```
//!
//! Servers run side by side and are measured in turn, a little of each in every round, so that a change in the
//! machine's load affects all of them alike. Every reply is checked. What is compared is the ratio between two servers in the same round.
//! Linux only: memory and processor time are read from `/proc` and from clocks of other processes.

mod affinity;
mod builds;
mod command;
mod contender;
mod dialect;
mod instructions;
mod measure;
mod metric;
mod patience;
mod peers;
mod plot;
mod process;
mod progress;
mod record;
mod replies;
mod reply;
mod report;
mod run;
mod statistics;
mod work;
mod workshop;
mod wrong;

use std::env;
use std::process::ExitCode;

use anyhow::{Result, bail};

use command::{Action, Command, USAGE};
use progress::say;
use record::Store;
use workshop::Workshop;

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
    let workshop = Workshop::new(command.dev);
    let store = Store::new(command.results.clone().unwrap_or_else(|| workshop.folder().join("results")))?;
    let docs = command.docs.clone().unwrap_or_else(|| workshop.root.join("docs"));
    match &command.action {
        Action::Run(parts) => {
            let failed = run::run(&workshop, command, parts, &store)?;
            report::write(&store, &docs)?;
            if !failed.is_empty() {
                bail!("{}", failed.join("\n"));
            }
            Ok(())
        }
        Action::Report => report::write(&store, &docs),
    }
}
