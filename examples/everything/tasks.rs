//! Tools that run as tasks.

use std::time::Duration;

use mcp_core::{AskError, Context, json_type, tool};
use tokio::time::sleep;

#[json_type]
struct Confirmation {
    confirm: bool,
}

#[json_type]
struct Name {
    name: String,
}

/// Greet somebody without delay.
#[tool]
pub async fn greet(name: String) -> String {
    format!("Hello, {name}!")
}

/// Compute for some seconds.
#[tool(task = optional)]
pub async fn slow_compute(seconds: u64, label: Option<String>, cx: &Context) -> String {
    cx.progress(0, seconds, "computing");
    sleep(Duration::from_secs(seconds)).await;
    format!("{} computed for {seconds} s", label.unwrap_or_default())
}

/// Work for a while, and fail.
#[tool(task = required)]
pub async fn failing_job() -> Result<(), &'static str> {
    sleep(Duration::from_millis(500)).await;
    Err("the job failed")
}

/// Request the roots, a capability that the client did not declare.
#[tool(task = optional)]
pub async fn protocol_error_job(cx: &Context) -> Result<usize, AskError> {
    sleep(Duration::from_millis(100)).await;
    Ok(cx.roots().await?.len())
}

/// Delete a file, if the user confirms it.
#[tool(task = optional)]
pub async fn confirm_delete(filename: String, cx: &Context) -> Result<String, AskError> {
    let answer = cx.elicit::<Confirmation>(format!("Delete {filename}?")).await?.accepted();
    Ok(match answer.is_some_and(|answer| answer.confirm) {
        true => format!("deleted {filename}"),
        false => format!("kept {filename}"),
    })
}

/// Ask the user two things at once.
#[tool(task = optional)]
pub async fn multi_input(cx: &Context) -> Result<String, AskError> {
    let name = cx.elicit::<Name>("What is your name?");
    let consent = cx.elicit::<Confirmation>("Shall I go on?");
    let (name, consent) = tokio::try_join!(name, consent)?;
    let name = name.accepted().map_or_else(|| "nobody".to_owned(), |name| name.name);
    Ok(format!("{name}: {}", consent.accepted().is_some_and(|consent| consent.confirm)))
}

/// Ask the user for a name, then continue as a task.
#[tool(task = required, asks_first)]
pub async fn test_tool_with_task(cx: &Context) -> Result<String, AskError> {
    let name = cx.keyed("user_name").elicit::<Name>("What is your name?").await?.accepted();
    sleep(Duration::from_millis(200)).await;
    Ok(format!("Hello, {}!", name.map_or_else(|| "nobody".to_owned(), |name| name.name)))
}
