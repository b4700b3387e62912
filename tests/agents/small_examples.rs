//! The examples `agent`, `both` and `everything`, with the real CLI and a scripted model.

use std::process::Command;
use std::sync::{Arc, Mutex};

use mcp_agent::{Agent, ElicitationAnswer, McpServer, Message};
use mcp_agent_test::{Sandbox, Turn, prompt};
use serde_json::json;

use crate::built_examples::example;
use crate::setup::{PipedProgram, Setup};

#[test]
fn agent_streams_text_and_calls_its_own_tool_without_a_permission_prompt() {
    let Some(setup) = Setup::or_skip() else { return };
    let Setup { model, sandbox, .. } = &setup;
    sandbox.file("notes.txt", "three small words").unwrap();
    let pause = model.pause_point("the rest");
    let counts = Turn::tool("mcp__words__count_words", json!({"path": "notes.txt"}));
    let words = prompt("How many?", [counts, Turn::text("There are three.").pause_midway(&pause)]);
    let mut terminal = PipedProgram::run(setup.command("agent").arg(words));
    // The model has not finished its answer yet.
    terminal.wait_for("There are three.");
    pause.release();
    assert_eq!(terminal.end(), (Some(0), "There are three.\n".to_owned()));
    assert_eq!(model.tool_results()[0].text, "3");
}

#[test]
fn agent_asks_for_permission_before_it_uses_another_tool() {
    for (typed, is_allowed) in [("y", true), ("", false)] {
        let Some(setup) = Setup::or_skip() else { return };
        let Setup { model, sandbox, .. } = &setup;
        let touch = Turn::tool("Bash", json!({"command": "touch touched", "description": "Touch"}));
        let mut terminal = PipedProgram::run(setup.command("agent").arg(prompt("Touch it.", [touch, Turn::text("Done.")])));
        terminal.wait_for("allow it? [y/N]");
        terminal.type_line(typed);
        let (code, shown) = terminal.end();
        assert_eq!(code, Some(0));
        assert!(shown.contains("Bash") && shown.contains("touch touched") && shown.ends_with("Done.\n"), "{shown}");
        assert_eq!(sandbox.work().join("touched").exists(), is_allowed);
        let result = &model.tool_results()[0];
        assert!(is_allowed || (result.is_error && result.text.contains("the user said no")), "{result:?}");
    }
}

#[tokio::test]
async fn both_returns_the_same_result_mounted_and_over_stdio() {
    let Some(setup) = Setup::or_skip() else { return };
    let Setup { cli, model, sandbox } = &setup;
    let adds = || [Turn::tool("mcp__calculator__add", json!({"a": 2, "b": 3})), Turn::text("It is five.")];
    let seen = || model.tool_results().remove(0);

    let mounted = PipedProgram::run(setup.command("both").args(["ask", &prompt("2 + 3?", adds())])).end();
    assert_eq!(mounted, (Some(0), "It is five.\n".to_owned()));
    let mounted_result = seen();

    let program = McpServer::stdio(example("both").to_string_lossy());
    let agent = Agent::new().mcp_server("calculator", program).allow_tools(["mcp__calculator__add"]);
    let result = sandbox.confine(agent, cli, model).query(prompt("2 + 3?", adds())).result().await.unwrap();
    assert_eq!(result.result.as_deref(), Some("It is five."));
    let stdio_result = seen();
    assert_eq!((mounted_result.text.as_str(), mounted_result.is_error), ("5", false));
    assert_eq!((stdio_result.text, stdio_result.is_error), (mounted_result.text, mounted_result.is_error));
}

#[tokio::test]
async fn everything_lists_prompts_and_resources_and_its_elicitation_is_answered() {
    let Some(setup) = Setup::or_skip() else { return };
    let Setup { cli, model, sandbox } = &setup;
    let program = McpServer::stdio(example("everything").to_string_lossy());
    let asked: Arc<Mutex<Vec<String>>> = Arc::default();
    let (received, elicit) = (asked.clone(), "mcp__everything__test_elicitation");
    let agent = Agent::new().mcp_server("everything", program).allow_tools([elicit, "ListMcpResourcesTool"]).elicitation(
        move |request| {
            received.lock().unwrap().push(request.message.clone());
            let account = json!({"username": "ada", "email": "ada@example.com"});
            std::future::ready(ElicitationAnswer::Accept { content: account.as_object().cloned() })
        },
    );
    let turns = [
        Turn::tool("ListMcpResourcesTool", json!({"server": "everything"})),
        Turn::tool(elicit, json!({"message": "Who are you?"})),
        Turn::text("Done."),
    ];
    let mut query = sandbox.confine(agent, cli, model).query(prompt("Look around.", turns));
    let mut commands = Vec::new();
    while let Some(message) = query.next().await.unwrap() {
        if let Message::Init(init) = message {
            commands = init.slash_commands.clone();
        }
    }
    assert!(commands.iter().any(|command| command == "mcp__everything__test_simple_prompt"), "{commands:?}");
    let results = model.tool_results();
    assert!(results[0].text.contains("test://watched-resource"), "{results:?}");
    assert!(results[1].text.contains("action=accept") && results[1].text.contains("ada@example.com"), "{results:?}");
    assert_eq!(*asked.lock().unwrap(), ["Who are you?"]);
}

#[test]
fn without_a_cli_the_error_says_how_to_install_it() {
    let empty_folder = Sandbox::new().expect("a folder");
    for (name, arguments) in [("agent", vec!["hello"]), ("both", vec!["ask", "hello"])] {
        let mut command = Command::new(example(name));
        command
            .args(arguments)
            .env_clear()
            .env("CLAUDE_BIN", empty_folder.home().join("claude"))
            .current_dir(empty_folder.work());
        let output = command.output().expect("the example starts");
        let stderr = String::from_utf8(output.stderr).expect("text");
        assert!(!output.status.success());
        assert!(stderr.contains("npm install -g @anthropic-ai/claude-code") && stderr.contains("CLAUDE_BIN"), "{stderr}");
    }
}
