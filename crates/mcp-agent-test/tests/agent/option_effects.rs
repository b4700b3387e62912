//! Options whose effect is in what the real CLI sends to the model.

use mcp_agent::{
    Agent, AgentDefinition, Decision, MountOptions, PermissionMode, QuestionPreview, ToolPermission, TurnFailure,
};
use mcp_agent_test::{ApiError, Request, StopReason, Turn, Usage, prompt};
use mcp_core::{Builder, Server, tool, tools};
use serde_json::{Value, json};

use crate::test_setup::{TestSetup, ask, failed, read_run, send, setup_or_skip, within};

/// Run a command, elsewhere.
#[tool]
async fn run(command: String) -> String {
    format!("elsewhere: {command}")
}

fn shell() -> Builder {
    Server::builder("shell", "1.0.0").tools(tools![run])
}

/// Runs one turn and returns the last request to the model.
async fn request(setup: &TestSetup, agent: Agent) -> Request {
    let mut session = within(agent.open()).await.unwrap();
    ask(&mut session, [Turn::text("hello")]).await;
    within(session.close()).await.unwrap();
    setup.model.requests().pop().unwrap()
}

#[tokio::test]
async fn an_alias_runs_the_other_tool() {
    let setup = setup_or_skip!();
    let agent = setup.agent().mount("shell", shell()).allow_tools(["mcp__shell__run"]).alias_tool("Bash", "mcp__shell__run");
    let mut session = within(agent.open()).await.unwrap();
    ask(&mut session, [Turn::tool("Bash", json!({"command": "touch made"})), Turn::text("done")]).await;
    assert_eq!(setup.model.tool_results()[0].text, "elsewhere: touch made");
    assert!(!setup.sandbox.work().join("made").exists());
    within(session.close()).await.unwrap();
}

#[tokio::test]
async fn a_defined_agent_has_its_own_prompt_model_and_tools() {
    let setup = setup_or_skip!();
    let helper = AgentDefinition::new("helps", "You help with tea.").tools(["Read"]).model("haiku");
    let mut session = within(setup.agent().model("sonnet").define_agent("helper", helper).open()).await.unwrap();
    let inner = prompt("Look.", [Turn::text("seen")]);
    let task = json!({"description": "d", "prompt": inner, "subagent_type": "helper", "run_in_background": false});
    assert_eq!(ask(&mut session, [Turn::tool("Agent", task), Turn::text("done")]).await, "done");
    let requests = setup.model.requests();
    let of_helper = requests.iter().find(|request| request.system().contains("You help with tea.")).unwrap();
    assert_eq!(of_helper.tools(), ["Read"]);
    assert!(of_helper.model().contains("haiku"), "{}", of_helper.model());
    within(session.close()).await.unwrap();
}

#[tokio::test]
async fn the_format_of_previews_changes_the_tool_for_questions() {
    let setup = setup_or_skip!();
    let tool = async |preview| {
        let agent = setup.agent().permission(|_| async { Decision::deny("no") }).question_preview(preview);
        request(&setup, agent).await.tool("AskUserQuestion").unwrap().clone()
    };
    assert_ne!(tool(QuestionPreview::Markdown).await, tool(QuestionPreview::Html).await);
}

#[tokio::test]
async fn the_fallback_model_answers_if_the_first_one_is_overloaded() {
    let setup = setup_or_skip!();
    for _ in 0..3 {
        setup.model.push(Turn::error(ApiError::new(529).retry_after(0)));
    }
    setup.model.push(Turn::text("after all"));
    let mut session = within(setup.agent().model("opus").fallback_model("haiku").open()).await.unwrap();
    within(session.send("hello")).await.unwrap();
    assert_eq!(read_run(&mut session).await.1.result.as_deref(), Some("after all"));
    let requests = setup.model.requests();
    assert!(requests[0].model().contains("opus") && requests[3].model().contains("haiku"), "{}", requests[3].model());
    within(session.close()).await.unwrap();
}

#[tokio::test]
async fn betas_thinking_and_instructions_for_plans_are_in_the_request() {
    let setup = setup_or_skip!();
    let beta = "context-1m-2025-08-07";
    let has_beta = |request: &Request| request.header("anthropic-beta").is_some_and(|betas| betas.contains(beta));
    assert!(!has_beta(&request(&setup, setup.agent()).await));
    assert!(has_beta(&request(&setup, setup.agent().betas([beta])).await));
    // A model that does not decide by itself how much to think.
    let thinking = async |tokens| {
        let agent = setup.agent().model("claude-opus-4-5").max_thinking_tokens(tokens);
        request(&setup, agent).await.body()["thinking"].clone()
    };
    assert_eq!(thinking(2048).await["budget_tokens"], 2048);
    assert_eq!(thinking(0).await["type"], "disabled");
    let planning = setup.agent().permission_mode(PermissionMode::Plan).plan_mode_instructions("Plan tea.");
    assert!(request(&setup, planning).await.mentions("Plan tea."));
}

#[tokio::test]
async fn a_budget_of_the_cli_ends_the_turn() {
    let setup = setup_or_skip!();
    let mut session = within(setup.agent().max_budget_usd(0.01).allow_tools(["Bash"]).open()).await.unwrap();
    let step = Turn::tool("Bash", json!({"command": "true", "description": "d"})).usage(Usage::new(1_000_000, 10));
    send(&session, [step, Turn::text("never said")]).await;
    assert_eq!(failed(&mut session).await, TurnFailure::MaxBudget);
    within(session.close()).await.unwrap();
}

#[tokio::test]
async fn a_verbatim_prompt_is_not_a_command() {
    let setup = setup_or_skip!();
    setup.sandbox.file(".claude/commands/greet.md", "Say hello.").unwrap();
    for verbatim in [false, true] {
        let mut session = within(setup.agent().verbatim_prompts(verbatim).open()).await.unwrap();
        within(session.send("/greet Ada")).await.unwrap();
        read_run(&mut session).await;
        assert_eq!(setup.model.requests().pop().unwrap().mentions("/greet Ada"), verbatim);
        within(session.close()).await.unwrap();
    }
}

#[tokio::test]
async fn a_tool_of_a_mounted_server_can_need_a_question_or_be_denied() {
    let setup = setup_or_skip!();
    let agent = |permission| {
        let options = MountOptions::new().tool_permission("run", permission);
        let agent = setup.agent().mount_with("shell", shell(), options).allow_tools(["mcp__shell__run"]);
        agent.permission(|ask| async move { Decision::deny(format!("asked about {}", ask.tool_name)) })
    };
    let mut session = within(agent(ToolPermission::AlwaysAsk).open()).await.unwrap();
    ask(&mut session, [Turn::tool("mcp__shell__run", json!({"command": "x"})), Turn::text("done")]).await;
    assert_eq!(setup.model.tool_results()[0].text, "asked about mcp__shell__run");
    within(session.close()).await.unwrap();
    // The request to the model does not contain a denied tool.
    assert!(!request(&setup, agent(ToolPermission::AlwaysDeny)).await.tools().contains(&"mcp__shell__run"));
}

#[tokio::test]
async fn only_the_chosen_skills_can_be_used() {
    let setup = setup_or_skip!();
    for name in ["tea", "coffee"] {
        let text = format!("---\nname: {name}\ndescription: About {name}.\n---\n\nIn the kitchen.\n");
        setup.sandbox.file(format!(".claude/skills/{name}/SKILL.md"), text).unwrap();
    }
    let choices = [(setup.agent().skills(["tea"]), false), (setup.agent().all_skills(), true)];
    for (agent, has_coffee) in choices {
        let mut session = within(agent.open()).await.unwrap();
        let uses = ["tea", "coffee"].map(|name| Turn::tool("Skill", json!({"skill": name})));
        ask(&mut session, uses.into_iter().chain([Turn::text("done")])).await;
        let last = setup.model.requests().pop().unwrap();
        let refused: Vec<bool> = last.tool_results().iter().map(|result| result.is_error).collect();
        assert_eq!(refused, [false, !has_coffee]);
        assert!(last.mentions("About tea.") && last.mentions("About coffee.") == has_coffee);
        within(session.close()).await.unwrap();
    }
}

#[tokio::test]
async fn the_time_and_the_length_of_an_answer_are_limited_by_variables() {
    let setup = setup_or_skip!();
    let timeout = |request: &Request| request.header("x-stainless-timeout").unwrap().parse::<u32>().unwrap();
    let usual = request(&setup, setup.agent()).await;
    assert_eq!(timeout(&usual), 600);
    let limited = setup.agent().env("API_TIMEOUT_MS", "7000").env("CLAUDE_CODE_MAX_OUTPUT_TOKENS", "1234");
    let limited = request(&setup, limited).await;
    assert_eq!((timeout(&limited), &limited.body()["max_tokens"]), (7, &json!(1234)));
    assert!(usual.body()["max_tokens"].as_u64() > Some(1234));

    // A request without an answer in time is repeated.
    let pause = setup.model.pause_point("never released");
    let agent = setup.agent().env("API_TIMEOUT_MS", "500").env("CLAUDE_CODE_MAX_RETRIES", "1");
    let mut session = within(agent.open()).await.unwrap();
    let before = setup.model.requests().len();
    send(&session, [Turn::text("too late").pause_before(&pause)]).await;
    assert!(matches!(failed(&mut session).await, TurnFailure::Api { status: None, .. }));
    assert_eq!(setup.model.requests().len() - before, 2);
    // An answer that was cut off is continued.
    send(&session, [Turn::text("the beginning").stop(StopReason::MaxTokens), Turn::text("the end")]).await;
    assert_eq!(read_run(&mut session).await.1.result.as_deref(), Some("the end"));
    within(session.close()).await.unwrap();
}

#[tokio::test]
async fn by_default_a_request_is_repeated_ten_times() {
    let setup = setup_or_skip!();
    setup.model.push(Turn::error(ApiError::new(529).retry_after(0)));
    let mut session = within(setup.agent().open()).await.unwrap();
    within(session.send("hello")).await.unwrap();
    let retries = read_run(&mut session).await.0.into_iter().find_map(|message| match message {
        mcp_agent::Message::ApiRetry(retry) => retry.field::<Value>("max_retries"),
        _ => None,
    });
    assert_eq!(retries, Some(json!(10)));
    within(session.close()).await.unwrap();
}

#[tokio::test]
async fn debug_logs_are_written_to_a_file_that_is_named_after_the_session() {
    let setup = setup_or_skip!();
    let folder = setup.sandbox.home().join(".claude/debug");
    for debug in [false, true] {
        let mut session = within(setup.agent().debug(debug).open()).await.unwrap();
        send(&session, [Turn::text("hello")]).await;
        let id: String = read_run(&mut session).await.1.field("session_id").unwrap();
        within(session.close()).await.unwrap();
        assert_eq!(folder.join(format!("{id}.txt")).is_file(), debug);
    }
}

#[tokio::test]
async fn the_default_tools_replace_another_choice() {
    let setup = setup_or_skip!();
    let chosen = request(&setup, setup.agent().only_tools(["Read"])).await;
    assert_eq!(chosen.tools(), ["Read"]);
    let default = request(&setup, setup.agent().only_tools(["Read"]).default_tools()).await;
    let usual = request(&setup, setup.agent()).await;
    assert_eq!(default.tools(), usual.tools());
    assert!(usual.tools().len() > 5);
    // No test uses this tool, because the CLI does not offer it.
    assert!(!usual.tools().contains(&"SetGoal"));
}

#[tokio::test]
async fn a_script_that_starts_the_cli_is_run_by_the_interpreter() {
    let setup = setup_or_skip!();
    let script = setup.sandbox.tmp().join("claude.js");
    std::fs::write(&script, format!("exec '{}' \"$@\"\n", setup.cli.path().display())).unwrap();
    // `sh -e` fails at the first error.
    let agent = setup.agent().program(&script).interpreter("/bin/sh", ["-e"]).model("haiku");
    assert!(request(&setup, agent).await.model().contains("haiku"));
}
