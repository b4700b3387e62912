//! Measures clients against the floor as their server: over stdio, and for this project in the same process.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::process::Command;

use anyhow::{Context, Result};

use crate::affinity::Pinned;
use crate::contender::{FLOOR, NODE_CLIENT, OURS, PYTHON, RMCP};
use crate::folders::{Folders, finish};
use crate::instructions::{SESSION, inproc};
use crate::measure::{Plan, rotated};
use crate::metric::Metric;
use crate::peers;
use crate::progress::say;
use crate::record::Record;

/// The name in records of the client that is written by hand with the pipes of tokio.
pub(crate) const HAND_TOKIO: &str = "hand-tokio";

/// All clients in the order of the table, with their titles. [`FLOOR`] is the client that is written by hand.
pub(crate) const CLIENTS: [(&str, &str); 6] = [
    (FLOOR, "by hand, blocking"),
    (HAND_TOKIO, "by hand, on tokio"),
    (OURS, "this project"),
    (RMCP, "rmcp 3.8"),
    (NODE_CLIENT, "TypeScript client 2.4"),
    (PYTHON, "Python mcp 2.3"),
];

/// A client that is measured.
struct Client {
    key: &'static str,
    command: Vec<OsString>,
    /// A client in an interpreted language makes a tenth of the calls.
    share: usize,
}

/// Measures the clients with these names, or all. A client that cannot be installed is left out with a message.
pub(crate) fn clients(folders: &Folders, plan: &Plan, only: Option<&[String]>) -> Result<Vec<Record>> {
    let clients = installed(folders, only)?;
    let built = folders.build()?;
    let mut records = Vec::new();
    for round in 0..plan.rounds {
        for pinned in [false, true] {
            say(format_args!("clients: round {} of {}{}", round + 1, plan.rounds, if pinned { ", pinned" } else { "" }));
            let _pinned = pinned.then(Pinned::new).transpose()?;
            for place in rotated(clients.len(), round) {
                let client = &clients[place];
                let mut record = Record { server: client.key.to_owned(), round, pinned, ..Record::default() };
                match over_stdio(client, plan, built.join("floor").into()) {
                    Ok(metrics) => record.metrics = metrics,
                    Err(error) => record.error = Some(format!("{error:#}")),
                }
                records.push(record);
            }
        }
        for (key, case) in [(OURS, "client"), (SESSION, "session")] {
            let metrics = BTreeMap::from([(Metric::ClientInProcess, in_process(folders, plan, case)?)]);
            records.push(Record { server: key.to_owned(), round, at: IN_PROCESS, metrics, ..Record::default() });
        }
    }
    Ok(records)
}

/// Marks the records of calls in the same process.
pub(crate) const IN_PROCESS: u64 = 1;

fn installed(folders: &Folders, only: Option<&[String]>) -> Result<Vec<Client>> {
    let built = folders.build()?;
    let mut found = Vec::new();
    for (key, title) in CLIENTS {
        // The clients that are written by hand are what the others are compared with.
        if only.is_some_and(|only| ![FLOOR, HAND_TOKIO].contains(&key) && !only.iter().any(|name| name == key)) {
            continue;
        }
        let command = match key {
            FLOOR => Ok(vec![built.join("hand_client").into()]),
            HAND_TOKIO => Ok(vec![built.join("hand_client").into(), "--tokio".into()]),
            OURS => Ok(vec![built.join("examples/bench_client").into()]),
            key => peers::client(folders, key),
        };
        match command {
            Ok(command) => {
                found.push(Client { key, command, share: if [NODE_CLIENT, PYTHON].contains(&key) { 10 } else { 1 } })
            }
            Err(error) => say(format_args!("LEFT OUT: {title}: {error:#}")),
        }
    }
    Ok(found)
}

fn over_stdio(client: &Client, plan: &Plan, server: OsString) -> Result<BTreeMap<Metric, f64>> {
    let mut command = Command::new(&client.command[0]);
    command.args(&client.command[1..]);
    for calls in [plan.sequential.calls, plan.flight.calls] {
        command.arg((calls / client.share).max(1).to_string());
    }
    command.arg(server);
    let printed = finish(command)?;
    let mut times = printed.split_whitespace().map(str::parse);
    let mut time = || times.next().context("two times")?.context("a time");
    Ok(BTreeMap::from([(Metric::ClientOne, time()?), (Metric::ClientFlight, time()?)]))
}

/// Nanoseconds of a call in the same process.
fn in_process(folders: &Folders, plan: &Plan, case: &str) -> Result<f64> {
    let calls = plan.flight.calls;
    let mut command = Command::new(inproc(folders)?);
    command.arg(case).arg(calls.to_string());
    let total: f64 = finish(command)?.trim().parse().context("a time")?;
    Ok(total / calls as f64)
}
