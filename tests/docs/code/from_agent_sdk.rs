//! The code of `docs/from-agent-sdk.md`.

use mcp_agent::{Agent, Error};

async fn one_prompt() -> Result<(), Error> {
    let result = Agent::new().model("opus").max_turns(3).query("What is 2 + 3?").result().await?;
    println!("{}", result.result.as_deref().unwrap_or_default());
    Ok(())
}

use mcp_agent::PermissionMode;

async fn a_session() -> Result<(), Error> {
    let mut session = Agent::new().cwd("/code").permission_mode(PermissionMode::AcceptEdits).open().await?;
    session.send("Fix the test.").await?;
    while let Some(message) = session.next().await? {
        println!("{message:?}");
    }
    session.interrupt().await?;
    session.close().await?;
    Ok(())
}

use mcp_core::{server, tool, tools};

/// Add two numbers
#[tool]
async fn add(a: f64, b: f64) -> f64 {
    a + b
}

fn with_tools() -> Agent {
    Agent::new().mount("calc", server!().tools(tools![add])).allow_tools(["mcp__calc__add"])
}

use mcp_agent::hook::PreToolUse;
use mcp_agent::{Decision, Hook, HookOutput};

fn with_callbacks() -> Agent {
    Agent::new()
        .permission(
            |ask| async move { if ask.tool_name == "Bash" { Decision::deny("no shell") } else { Decision::allow() } },
        )
        .hook(Hook::<PreToolUse>::new().matcher("Write"), |call| async move {
            match call.tool_input["file_path"].as_str() {
                Some(path) if path.starts_with("/code/") => HookOutput::pass(),
                _ => PreToolUse::deny("write only below /code"),
            }
        })
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Answer {
    sum: i64,
}

async fn structured() -> Result<i64, Error> {
    Ok(Agent::new().query_as::<Answer>("What is 2 + 3?").await?.sum)
}

use mcp_agent_history::{Filter, Fork, History, HistoryError};

fn latest_copy(home: &str) -> Result<Option<String>, HistoryError> {
    let history = History::of_home(home);
    let latest = history.list(&Filter::new().of("/code").limit(1))?.pop();
    latest.map(|session| history.fork(&session.id, &Fork::new().title("another attempt"))).transpose()
}
