//! `mcp_client::Client` calls `mcp_stdio::serve_on` over pipes that split, delay and cut.

mod pipe;
pub(crate) mod server;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use mcp_client::{CallError, Client, Elicited, Recovery, Revision};
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};

use self::pipe::{Pipe, Tap};
use self::server::{Running, server};
use crate::bug::Bug;
use crate::random::Random;
use crate::trace::Trace;
use crate::{Failure, Finished, run_paused};

/// A call that takes longer has lost its response: nothing in this world takes a minute.
const LOST: Duration = Duration::from_secs(60);

/// Runs one seed.
pub(crate) fn simulate(seed: u64, bug: Option<Bug>) -> Result<Finished, Failure> {
    let trace = Trace::default();
    run_paused(seed, &trace, world(Random::new(seed), bug, trace.clone()))
}

/// What one of the concurrent operations does.
#[derive(Clone, Copy, Debug)]
enum Operation {
    Echo,
    Nap,
    Ask,
    List,
    /// Starts a call and drops it.
    Abandon,
    /// A call that times out.
    TimeOut,
}

async fn world(mut random: Random, bug: Option<Bug>, trace: Trace) -> Result<(), String> {
    let running = Running::default();
    let answers = Answers::default();
    let (to_server, server_reads, client_writes) = Pipe::new(Random::new(random.next()), requests(&answers));
    let (to_client, client_reads, server_writes) = Pipe::new(Random::new(random.next()), responses(&answers, bug));
    let serving = tokio::spawn(mcp_stdio::serve_on(server(&running), server_reads, server_writes));
    let client = connect(client_reads, client_writes, &mut random).await?;
    let mut operations = Vec::new();
    for number in 0..30 {
        let operation = random.pick(&[
            Operation::Echo,
            Operation::Echo,
            Operation::Nap,
            Operation::Nap,
            Operation::Ask,
            Operation::List,
            Operation::Abandon,
            Operation::TimeOut,
        ]);
        let (client, start, time) = (client.clone(), random.millis(300), random.millis(100));
        operations.push(tokio::spawn(async move {
            sleep(start).await;
            (number, operation, run(&client, operation, number, time).await)
        }));
    }
    let is_cut = random.chance(3);
    if is_cut {
        sleep(random.millis(300)).await;
        trace.note("cut");
        to_server.cut();
        to_client.cut();
    }
    for operation in operations {
        let (number, operation, outcome) = operation.await.map_err(|error| format!("an operation panicked: {error}"))?;
        trace.note(format_args!("{number} {operation:?} {}", if outcome.is_ok() { "succeeded" } else { "failed" }));
        judge(operation, outcome, is_cut)?;
    }
    answers.verdict()?;
    client.close().await;
    let served = timeout(LOST, serving).await.map_err(|_| "the server does not end after its client")?;
    trace.note(format_args!("the server ended: {}", served.is_ok_and(|served| served.is_ok())));
    match running.count() {
        0 => Ok(()),
        count => Err(format!("{count} calls still run after the end of the server")),
    }
}

async fn connect(reader: pipe::Reader, writer: pipe::Writer, random: &mut Random) -> Result<Client, String> {
    let revision = random.pick(&[Revision::V2025_06_18, Revision::V2025_11_25, Revision::V2026_07_28]);
    let accepts = || Elicited::Accepted(serde_json::Map::from_iter([("ok".to_owned(), Value::Bool(true))]));
    let connecting = Client::connect(reader, writer)
        .revision(revision)
        .recovery(Recovery::off())
        .timeout(LOST)
        .on_elicit(move |_| async move { Ok(accepts()) });
    connecting.await.map_err(|error| format!("cannot connect: {error}"))
}

/// Returns whether the operation had the right outcome, or how it failed.
async fn run(client: &Client, operation: Operation, number: u32, time: Duration) -> Result<bool, CallError> {
    let text = format!("text of {number}");
    let arguments = json!({"text": text, "ms": u64::try_from(time.as_millis()).unwrap_or(1)});
    let tool = match operation {
        Operation::Echo => "echo",
        Operation::Nap => "nap",
        Operation::Ask => "ask",
        Operation::List => return Ok(client.tools().all().await?.len() == 4),
        Operation::Abandon => {
            let call = client.call("hang", arguments).start();
            return Ok(timeout(time, call).await.is_err());
        }
        Operation::TimeOut => {
            let failed = client.call("hang", arguments).timeout(time).await;
            return match failed {
                Err(CallError::Timeout(_)) => Ok(true),
                Err(error) => Err(error),
                Ok(_) => Ok(false),
            };
        }
    };
    Ok(client.call(tool, arguments).await?.to_text() == text)
}

fn judge(operation: Operation, outcome: Result<bool, CallError>, is_cut: bool) -> Result<(), String> {
    match outcome {
        Ok(true) => Ok(()),
        // A call of a closed connection ends early.
        Ok(false) if is_cut && matches!(operation, Operation::Abandon) => Ok(()),
        Ok(false) => Err(format!("{operation:?} has a wrong result")),
        Err(CallError::Lost { .. } | CallError::Connect(_) | CallError::Closed) if is_cut => Ok(()),
        // The cut left the first part of a line, which the client reports as an invalid response.
        Err(CallError::Invalid { .. }) if is_cut => Ok(()),
        Err(error) => Err(format!("{operation:?} failed: {error}")),
    }
}

/// The requests on the wire, and the first rule that the responses violate.
#[derive(Clone, Default)]
struct Answers(Arc<Mutex<Seen>>);

#[derive(Default)]
struct Seen {
    open: BTreeMap<i64, String>,
    violation: Option<String>,
    lines: usize,
}

impl Answers {
    fn with<T>(&self, change: impl FnOnce(&mut Seen) -> T) -> T {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn verdict(&self) -> Result<(), String> {
        self.with(|seen| seen.violation.clone().map_or(Ok(()), Err))
    }
}

/// Notes the requests of the client.
fn requests(answers: &Answers) -> Tap {
    let answers = answers.clone();
    Box::new(move |line| {
        let message: Value = serde_json::from_slice(line).unwrap_or_default();
        if let (Some(id), Some(method)) = (message["id"].as_i64(), message["method"].as_str()) {
            answers.with(|seen| {
                if seen.open.insert(id, method.to_owned()).is_some() {
                    seen.violation.get_or_insert(format!("the client uses the id {id} twice"));
                }
            });
        }
        vec![line.to_vec()]
    })
}

/// Checks that each response belongs to an open request, and plants bugs.
fn responses(answers: &Answers, bug: Option<Bug>) -> Tap {
    let answers = answers.clone();
    Box::new(move |line| {
        let message: Value = serde_json::from_slice(line).unwrap_or_default();
        let Some(id) = message["id"].as_i64().filter(|_| message.get("method").is_none()) else {
            return vec![line.to_vec()];
        };
        let (lines, other) = answers.with(|seen| {
            seen.lines += 1;
            if seen.open.remove(&id).is_none() {
                seen.violation.get_or_insert(format!("a response without an open request: {message}"));
            }
            let call = seen.open.iter().find(|(_, method)| *method == "tools/call").map(|(id, _)| *id);
            (seen.lines, call.filter(|_| message["result"].get("content").is_some()))
        });
        match (bug, other) {
            (Some(Bug::LostBytes), _) if lines % 10 == 9 => Vec::new(),
            (Some(Bug::ForgedResponse), Some(other)) => {
                let mut forged = message;
                forged["id"] = other.into();
                vec![line.to_vec(), forged.to_string().into_bytes()]
            }
            _ => vec![line.to_vec()],
        }
    })
}
