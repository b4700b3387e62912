//! The code of `docs/agent-testing.md`.

use mcp_agent::Agent;
use mcp_agent_test::{Cli, Model, Sandbox, Turn, prompt};
use serde_json::json;

/// The agent of your program.
fn my_agent() -> Agent {
    Agent::new().system_prompt("You are terse.").allow_tools(["Write"])
}

#[tokio::test]
async fn the_agent_writes_the_file() -> Result<(), Box<dyn std::error::Error>> {
    let Some(cli) = Cli::or_skip() else { return Ok(()) };
    let (model, sandbox) = (Model::start()?, Sandbox::new()?);
    let agent = sandbox.confine(my_agent(), &cli, &model);

    let path = sandbox.work().join("notes.txt");
    let write = Turn::tool("Write", json!({"file_path": path, "content": "done"}));
    let result = agent.query(prompt("Write a note.", [write, Turn::text("written")])).result().await?;

    assert_eq!(result.result.as_deref(), Some("written"));
    assert_eq!(std::fs::read_to_string(path)?, "done");
    // What the model was given: the system prompt, the tools, the results.
    assert!(model.requests()[0].system().contains("You are terse."));
    Ok(())
}

use mcp_agent::{Decision, Error};
use mcp_agent_test::{Script, ScriptedCli};

#[tokio::test]
async fn the_agent_denies_what_it_does_not_know() -> Result<(), Error> {
    let request = json!({"subtype": "can_use_tool", "tool_name": "Unknown", "input": {}, "tool_use_id": "t"});
    let script = Script::new().initialize().prompt().send_request("ask", request).expect_response("ask").result("done");
    let cli = ScriptedCli::new(script);

    let agent = Agent::new().transport(cli.clone()).permission(|_| async { Decision::deny("not allowed") });
    agent.query("Tidy up.").result().await?;

    assert_eq!(cli.received()[2]["response"]["response"]["behavior"], "deny");
    Ok(())
}
