//! An agent session and a CLI that also breaks the protocol.

mod cli;
mod faulty;

use std::time::Duration;

use mcp_agent::hook::PreToolUse;
use mcp_agent::{Agent, Decision, Error, Handle, Hook, HookOutput};
use mcp_agent_test::ManualCli;
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};

use self::cli::Cli;
use self::faulty::Faulty;
use crate::bug::Bug;
use crate::random::Random;
use crate::stream::server::{Running, server};
use crate::trace::Trace;
use crate::{Failure, Finished, run_paused};

/// Runs one seed.
pub(crate) fn simulate(seed: u64, bug: Option<Bug>) -> Result<Finished, Failure> {
    let trace = Trace::default();
    run_paused(seed, &trace, world(Random::new(seed), bug, trace.clone()))
}

async fn world(mut random: Random, bug: Option<Bug>, trace: Trace) -> Result<(), String> {
    let running = Running::default();
    let (transport, lines) = ManualCli::new();
    let exits = random.chance(3);
    let cli = tokio::spawn(Cli::new(lines, Random::new(random.next()), trace.clone()).run(exits));
    let agent = Agent::new()
        .transport(Faulty::new(transport, bug))
        .mount("tools", server(&running))
        .permission(|ask| async move {
            pause(&ask.input["ms"]).await;
            Decision::allow()
        })
        .hook(Hook::<PreToolUse>::new(), |call| async move {
            pause(&call.tool_input["ms"]).await;
            HookOutput::pass()
        });
    let session = agent.open().await.map_err(|error| format!("the session does not open: {error}"))?;
    let (handle, mut messages) = session.split();
    let reading = tokio::spawn(async move { while let Ok(Some(_)) = messages.next().await {} });
    let mut requests = Vec::new();
    for number in 0..12 {
        let (handle, start, time_limit) = (handle.clone(), random.millis(1000), random.millis(200));
        let abandons = random.chance(3).then_some(time_limit);
        requests.push(tokio::spawn(async move {
            sleep(start).await;
            request(&handle, number, abandons).await
        }));
    }
    let mut failed = None;
    for (number, request) in requests.into_iter().enumerate() {
        let outcome = request.await.map_err(|error| format!("a request panicked: {error}"))?;
        trace.note(format_args!("request {number}: {}", if outcome.is_ok() { "answered" } else { "failed" }));
        match outcome {
            Ok(()) => {}
            Err(Error::Ended(_)) if exits => {}
            Err(error) => failed = Some(format!("request {number} failed: {error}")),
        }
    }
    // The CLI waits for its own responses.
    sleep(Duration::from_secs(1000)).await;
    drop(timeout(Duration::from_secs(1000), handle.close()).await.map_err(|_| "the session does not close")?);
    drop(handle);
    cli.await.map_err(|error| format!("the CLI panicked: {error}"))??;
    failed.map_or(Ok(()), Err)?;
    reading.await.map_err(|error| format!("reading panicked: {error}"))?;
    sleep(Duration::from_millis(1)).await;
    match running.count() {
        0 => Ok(()),
        count => Err(format!("{count} calls of the mounted server still run after the session")),
    }
}

async fn pause(ms: &Value) {
    sleep(Duration::from_millis(ms.as_u64().unwrap_or(0))).await;
}

/// Sends a request to the CLI and checks that the response is its own. With `abandons`, gives up after that time.
async fn request(handle: &Handle, number: u64, abandons: Option<Duration>) -> Result<(), Error> {
    let asking = handle.request("probe", json!({"n": number}));
    let answer = match abandons {
        None => asking.await?,
        Some(time_limit) => match timeout(time_limit, asking).await {
            Ok(answer) => answer?,
            Err(_) => return Ok(()),
        },
    };
    assert_eq!(answer["n"], number, "the response belongs to another request");
    Ok(())
}
