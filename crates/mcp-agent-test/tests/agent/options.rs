//! Options, passed to the real CLI. It exits on an unknown flag and ignores an unknown field.

use mcp_agent::hook::PreToolUse;
use mcp_agent::{
    Agent, AgentDefinition, DialogAnswer, Effort, Hook, McpServer, Message, PermissionMode, PermissionPrompts, Plugin,
    PluginDelivery, QuestionPreview, Session, SettingSource, SystemPrompt, Thinking, ThinkingDisplay,
};
use mcp_agent_test::Turn;
use serde_json::{Map, Value, json};

use crate::test_setup::{read_run, send, setup_or_skip, within};

fn object(value: Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap()
}

/// Opens a session, runs one turn, and returns the messages.
async fn turn(agent: Agent) -> (Session, Vec<Message>) {
    let mut session = within(agent.open()).await.unwrap();
    send(&session, [Turn::text("hello")]).await;
    let messages = read_run(&mut session).await.0;
    (session, messages)
}

fn init(messages: &[Message]) -> &mcp_agent::message::Init {
    let init = messages.iter().find_map(|message| match message {
        Message::Init(init) => Some(init),
        _ => None,
    });
    init.unwrap()
}

#[tokio::test]
#[allow(clippy::too_many_lines, reason = "a list of cases")]
async fn the_cli_accepts_all_flags_together() {
    let setup = setup_or_skip!();
    let (extra, config) = (setup.sandbox.tmp().join("extra"), setup.sandbox.tmp().join("config"));
    for folder in [&extra, &config] {
        std::fs::create_dir(folder).unwrap();
    }
    let id = "5c121973-0000-4000-8000-00000000000a";
    let agent = setup
        .agent()
        .model("haiku")
        .fallback_model("sonnet")
        .effort(Effort::Low)
        .betas(["context-1m-2025-08-07"])
        .thinking(Thinking::Adaptive { display: Some(ThinkingDisplay::Omitted) })
        .max_turns(3)
        .max_budget_usd(2.5)
        .task_budget(50_000)
        .only_tools(["Read", "Bash"])
        .allow_tools(["Read", "Bash(git *)"])
        .disallow_tools(["Write"])
        .skills(["pdf"])
        .permission(|_| async { mcp_agent::Decision::deny("no") })
        .permission_mode(PermissionMode::AcceptEdits)
        .permission_prompts(PermissionPrompts::Host)
        .allow_dangerously_skip_permissions()
        .add_dir(&extra)
        .session_id(id)
        .title("a title")
        .mcp_server("nobody", McpServer::stdio("/nowhere"))
        .strict_mcp_config(true)
        .settings(object(json!({"language": "french"})))
        .sandbox(json!({"enabled": false}))
        .managed_settings(object(json!({"cleanupPeriodDays": 5})))
        .setting_sources([SettingSource::User, SettingSource::Project, SettingSource::Local])
        .project_config_root(&config)
        .partial_messages(true)
        .hook_events(true)
        .replay_prompts(true)
        .mirror_session()
        .file_checkpointing()
        .question_preview(QuestionPreview::Markdown)
        .extended_questions(true)
        .optional_question_descriptions(true)
        .debug_file(setup.sandbox.tmp().join("debug.txt"));
    let (session, messages) = turn(agent).await;
    let init = init(&messages);
    assert_eq!(init.tools, ["Bash", "Read"]);
    assert!(init.model.contains("haiku") && init.permission_mode == PermissionMode::AcceptEdits);
    assert_eq!(init.mcp_servers.iter().map(|server| server.name.as_str()).collect::<Vec<_>>(), ["nobody"]);
    let settings = within(session.handle().settings()).await.unwrap();
    assert_eq!(
        settings["effective"],
        json!({"language": "french", "sandbox": {"enabled": false, "failIfUnavailable": true}})
    );
    let request = &setup.model.requests()[0];
    assert_eq!(
        request.body()["output_config"],
        json!({"effort": "low", "task_budget": {"type": "tokens", "total": 50_000}})
    );
    assert_eq!(request.body()["thinking"]["type"], "adaptive");
    assert!(request.mentions(extra.to_str().unwrap()));
    assert!(request.body()["metadata"].to_string().contains(id));
    let seen = |kind: fn(&Message) -> bool| messages.iter().any(kind);
    assert!(seen(|message| matches!(message, Message::Stream(_))));
    assert!(seen(|message| matches!(message, Message::User(user) if user.is_replay == Some(true))));
    assert!(seen(|message| matches!(message, Message::TranscriptMirror(_))));
    assert!(seen(
        |message| matches!(message, Message::SessionTitleChanged(changed) if changed.raw().get().contains("a title"))
    ));
    assert!(setup.sandbox.tmp().join("debug.txt").exists());
}

#[tokio::test]
async fn the_cli_accepts_the_options_in_the_initialize_request() {
    let setup = setup_or_skip!();
    let plugin =
        setup.sandbox.file("plugin/.claude-plugin/plugin.json", r#"{"name": "probe", "version": "1.0.0"}"#).unwrap();
    let plugin = Plugin::local(plugin.ancestors().nth(2).unwrap());
    for delivery in [PluginDelivery::Arguments, PluginDelivery::Initialize] {
        let agent = setup
            .agent()
            .system_prompt("You are a teapot.")
            .plan_mode_instructions("Plan tea.")
            .alias_tool("Bash", "mcp__shell__run")
            .define_agent("helper", AgentDefinition::new("helps", "You help.").tools(["Read"]).model("haiku").max_turns(2))
            .agent_progress_summaries(true)
            .forward_subagent_text(true)
            .per_task_stop(true)
            .prompt_suggestions(false)
            .verbatim_prompts(true)
            .user_dialog(["confirm"], |_| async { DialogAnswer::Cancelled })
            .hook(Hook::<PreToolUse>::new(), |_| async {})
            .plugin(plugin.clone())
            .plugin_delivery(delivery);
        let (session, messages) = turn(agent).await;
        assert_eq!(session.welcome().hooks_applied, Some(true));
        let init = init(&messages);
        assert!(init.agents.as_ref().unwrap().contains(&"helper".to_owned()), "{:?}", init.agents);
        assert!(init.plugins.iter().any(|plugin| plugin.name == "probe"), "{delivery:?}: {:?}", init.plugins);
        assert!(setup.model.requests().last().unwrap().system().contains("You are a teapot."));
    }
}

#[tokio::test]
async fn the_system_prompt_of_claude_code_can_be_used_and_extended() {
    let setup = setup_or_skip!();
    turn(setup.agent().system_prompt(SystemPrompt::claude_code_and("And you are a teapot."))).await;
    turn(setup.agent()).await;
    let requests = setup.model.requests();
    let (long, short) = (requests[0].system(), requests[1].system());
    assert!(long.contains("And you are a teapot.") && long.len() > 4 * short.len(), "{} and {}", long.len(), short.len());
}
