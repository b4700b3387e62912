//! An agent session and a CLI that also breaks the protocol.

mod cli;
mod faulty;
mod messages;

use std::time::Duration;

use mcp_agent::hook::PreToolUse;
use mcp_agent::{Agent, Decision, Error, Handle, Hook, HookOutput, Messages};
use mcp_agent_test::ManualCli;
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};

use self::cli::Cli;
use self::faulty::Faulty;
use self::messages::{Account, Limits};
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
    let limits = Limits::new(&mut random);
    let account = Account::new(limits);
    let cli = Cli::new(lines, Random::new(random.next()), trace.clone(), account.clone());
    let cli = tokio::spawn(cli.run(exits));
    let mut agent = agent(&running).transport(Faulty::new(transport, bug));
    if bug != Some(Bug::UnlimitedMessages) {
        agent = agent.unread(limits.unread());
    }
    let session = agent.open().await.map_err(|error| format!("the session does not open: {error}"))?;
    let (handle, messages) = session.split();
    let reading = tokio::spawn(read(messages, Random::new(random.next()), trace.clone(), account));
    let has_ended = request_all(&handle, &mut random, &trace).await?;
    // The CLI waits for its own responses.
    sleep(Duration::from_secs(1000)).await;
    drop(timeout(Duration::from_secs(1000), handle.close()).await.map_err(|_| "the session does not close")?);
    drop(handle);
    cli.await.map_err(|error| format!("the CLI panicked: {error}"))??;
    let has_overflowed = reading.await.map_err(|error| format!("reading panicked: {error}"))??;
    if has_ended && !exits && !has_overflowed {
        return Err("a request failed because the session had ended, but nothing has ended it".to_owned());
    }
    sleep(Duration::from_millis(1)).await;
    match running.count() {
        0 => Ok(()),
        count => Err(format!("{count} calls of the mounted server still run after the session")),
    }
}

fn agent(running: &Running) -> Agent {
    Agent::new()
        .mount("tools", server(running))
        .permission(|ask| async move {
            pause(&ask.input["ms"]).await;
            Decision::allow()
        })
        .hook(Hook::<PreToolUse>::new(), |call| async move {
            pause(&call.tool_input["ms"]).await;
            HookOutput::pass()
        })
}

/// Reads all messages, sometimes with a pause, and checks them. Returns whether the session ended because they were not read in time.
async fn read(mut messages: Messages, mut random: Random, trace: Trace, account: Account) -> Result<bool, String> {
    let has_overflowed = loop {
        if random.chance(5) {
            sleep(random.millis(400)).await;
            account.check_held(messages.dropped_partials())?;
        }
        let next = messages.next().await;
        let raw = match &next {
            Ok(Some(message)) => message.raw(),
            Err(Error::Turn(error)) => error.result.raw(),
            Err(Error::Ended(ended)) if ended.source.is_some() => break true,
            Ok(None) => break false,
            Err(error) => return Err(format!("reading failed: {error}")),
        };
        let number = account.deliver(raw, messages.dropped_partials())?;
        trace.note(format_args!("message {number} is read"));
    };
    account.close(messages.dropped_partials(), has_overflowed)?;
    Ok(has_overflowed)
}

/// Sends requests to the CLI at random times. Returns whether some failed because the session has ended.
async fn request_all(handle: &Handle, random: &mut Random, trace: &Trace) -> Result<bool, String> {
    let mut requests = Vec::new();
    for number in 0..12 {
        let (handle, start, time_limit) = (handle.clone(), random.millis(1000), random.millis(200));
        let abandons = random.chance(3).then_some(time_limit);
        requests.push(tokio::spawn(async move {
            sleep(start).await;
            request(&handle, number, abandons).await
        }));
    }
    let mut has_ended = false;
    for (number, request) in requests.into_iter().enumerate() {
        let outcome = request.await.map_err(|error| format!("a request panicked: {error}"))?;
        trace.note(format_args!("request {number}: {}", if outcome.is_ok() { "answered" } else { "failed" }));
        match outcome {
            Ok(()) => {}
            Err(Error::Ended(_)) => has_ended = true,
            Err(error) => return Err(format!("request {number} failed: {error}")),
        }
    }
    Ok(has_ended)
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
