//! The code of `docs/agent-answers.md`.

use mcp_agent::{Agent, Error};
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Debug, Deserialize, JsonSchema)]
struct Review {
    /// One sentence.
    summary: String,
    /// The problems, the worst first.
    problems: Vec<Problem>,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Problem {
    file: String,
    line: Option<u32>,
    what: String,
}

async fn review(agent: Agent) -> Result<Review, Error> {
    agent.only_tools(["Read", "Grep", "Glob"]).query_as("Review the last commit.").await
}

use mcp_agent::Message;

async fn talk(agent: Agent) -> Result<(), Error> {
    let mut session = agent.open().await?;
    for prompt in ["What does this project do?", "Which file is the longest?"] {
        session.send(prompt).await?;
        while let Some(message) = session.next().await? {
            match message {
                Message::Assistant(answer) => print!("{}", answer.message.content.text().unwrap_or_default()),
                Message::Result(result) => println!("\n({} turns, ${})", result.num_turns, result.total_cost_usd),
                // All other messages keep their JSON: `Message::raw`.
                _ => {}
            }
        }
    }
    session.close().await?;
    Ok(())
}

use futures_lite::stream;

async fn from_a_queue(agent: Agent, questions: tokio::sync::mpsc::Receiver<String>) -> Result<(), Error> {
    let prompts = stream::unfold(questions, |mut questions| async { Some((questions.recv().await?, questions)) });
    let mut answers = agent.query_stream(prompts);
    // A handle sends requests to the CLI of this query. Here Ctrl-C interrupts the turn.
    let handle = answers.handle().await?;
    tokio::spawn(async move {
        let _ = tokio::signal::ctrl_c().await;
        let _ = handle.interrupt().await;
    });
    while let Some(message) = answers.next().await? {
        if let Message::Result(result) = message {
            println!("{}", result.result.as_deref().unwrap_or_default());
        }
    }
    Ok(())
}

async fn all_at_once(agent: Agent) -> Result<(), Error> {
    let mut session = agent.open().await?;
    session.handle().send_all(stream::iter(["Read the README.", "Which words are misspelt?"])).await?;
    session.finish().await?;
    session.close().await?;
    Ok(())
}

use mcp_agent::{StartError, TurnFailure};

fn explain(error: &Error) -> &'static str {
    match error {
        Error::Turn(turn) => match &turn.failure {
            TurnFailure::Interrupted => "interrupted: send the next prompt",
            TurnFailure::MaxTurns | TurnFailure::MaxBudget => "a limit was reached: `turn.result` has the cost",
            TurnFailure::StructuredOutput | TurnFailure::NoStructuredOutput => "no output that matches the schema",
            TurnFailure::Api { status: Some(401), .. } => "the credentials were rejected",
            TurnFailure::Api { status: Some(429 | 529), .. } => "too many requests: try again later",
            _ => "the turn failed: see `turn.message()`",
        },
        Error::Start(start) => match start.as_ref() {
            StartError::NotFound { .. } => "the CLI is not installed",
            _ => "the CLI did not start",
        },
        Error::Ended(_) => "the CLI has exited: the error has its status and the end of its standard error",
        Error::InitializeTimeout { .. } => "the CLI did not answer in time",
        Error::Refused { .. } => "the CLI rejected a request: the session goes on",
        Error::Options(_) => "two options contradict each other",
        _ => "see the error and its sources",
    }
}

async fn limited(agent: Agent) {
    let mut run = agent.max_turns(3).max_budget_usd(0.50).query("Tidy up.");
    loop {
        match run.next().await {
            Ok(Some(message)) => println!("{}", message.event_name()),
            Ok(None) => break,
            Err(error) => println!("{}", explain(&error)),
        }
    }
}
