//! What options become.

use std::ffi::OsStr;

use super::args::LONG;
use super::*;
use crate::agent::Agent;
use crate::invocation::Arg;
use crate::options::{
    Effort, McpServer, PermissionPrompts, Plugin, PluginDelivery, QuestionPreview, SettingSource, Thinking, ThinkingDisplay,
};
use crate::permission::{Decision, PermissionMode};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

const ALWAYS: [&str; 3] = ["--output-format=stream-json", "--input-format=stream-json", "--verbose"];

fn made(agent: &Agent) -> Invocation {
    invocation(&agent.options, agent.callbacks.permission.is_some()).expect("no contradiction")
}

/// The arguments beyond those that are always there.
fn args(agent: &Agent) -> Vec<String> {
    let args: Vec<String> = made(agent).args.iter().map(|arg| arg.inline().into_string().expect("text")).collect();
    assert_eq!(&args[..3], ALWAYS);
    args[3..].to_vec()
}

fn object(value: Value) -> Map<String, Value> {
    value.as_object().cloned().expect("an object")
}

#[test]
fn nothing_said_is_nothing_asked() {
    assert_eq!(args(&Agent::new()), Vec::<String>::new());
}

#[test]
fn every_option_reaches_the_command_line() {
    let a = Agent::new;
    let display = Some(ThinkingDisplay::Omitted);
    let table: Vec<(Agent, Vec<&str>)> = vec![
        (a().model("haiku"), vec!["--model=haiku"]),
        (a().fallback_model("opus"), vec!["--fallback-model=opus"]),
        (a().effort(Effort::XHigh), vec!["--effort=xhigh"]),
        (a().betas(["x", "y"]), vec!["--betas=x,y"]),
        (a().thinking(Thinking::Adaptive { display: None }), vec!["--thinking=adaptive"]),
        (
            a().thinking(Thinking::Enabled { budget_tokens: Some(9), display }),
            vec!["--max-thinking-tokens=9", "--thinking-display=omitted"],
        ),
        (a().thinking(Thinking::Disabled), vec!["--thinking=disabled"]),
        (a().max_thinking_tokens(0), vec!["--thinking=disabled"]),
        (a().max_thinking_tokens(7), vec!["--max-thinking-tokens=7"]),
        (a().max_turns(2), vec!["--max-turns=2"]),
        (a().max_budget_usd(0.5), vec!["--max-budget-usd=0.5"]),
        (a().task_budget(1000), vec!["--task-budget=1000"]),
        (a().agent("reviewer"), vec!["--agent=reviewer"]),
        (a().only_tools(["Read", "Bash"]), vec!["--tools=Read,Bash"]),
        (a().only_tools([""; 0]), vec!["--tools="]),
        (a().default_tools(), vec!["--tools=default"]),
        (a().allow_tools(["mcp__calc__add", "Bash(git *)"]), vec!["--allowedTools=mcp__calc__add,Bash(git *)"]),
        (a().disallow_tools(["Write"]), vec!["--disallowedTools=Write"]),
        (a().skills(["pdf"]).allow_tools(["Read"]), vec!["--allowedTools=Read,Skill(pdf)"]),
        (a().all_skills(), vec!["--allowedTools=Skill"]),
        (a().permission(|_| async { Decision::allow() }), vec!["--permission-prompt-tool=stdio"]),
        (a().permission_prompt_tool("mcp__a__b"), vec!["--permission-prompt-tool=mcp__a__b"]),
        (a().permission_mode(PermissionMode::AcceptEdits), vec!["--permission-mode=acceptEdits"]),
        (a().allow_dangerously_skip_permissions(), vec!["--allow-dangerously-skip-permissions"]),
        (a().permission_prompts(PermissionPrompts::None), vec!["--permission-prompts=none"]),
        (a().add_dir("/a").add_dir("/b c"), vec!["--add-dir=/a", "--add-dir=/b c"]),
        (a().continue_latest(), vec!["--continue"]),
        (a().resume("id").fork(), vec!["--resume=id", "--fork-session"]),
        (a().resume("id").resume_at("m"), vec!["--resume=id", "--resume-session-at=m"]),
        (a().resume("id").resume_drops_turn("m"), vec!["--resume=id", "--resume-drops-turn=m"]),
        (a().session_id("id"), vec!["--session-id=id"]),
        (a().persist_session(false), vec!["--no-session-persistence"]),
        (a().mirror_session(), vec!["--session-mirror"]),
        (
            a().mcp_server("s", McpServer::http("http://x/")),
            vec![r#"--mcp-config={"mcpServers":{"s":{"type":"http","url":"http://x/"}}}"#],
        ),
        (a().strict_mcp_config(true), vec!["--strict-mcp-config"]),
        (a().settings_file("/s.json"), vec!["--settings=/s.json"]),
        (
            a().settings(object(json!({"a": 1}))).sandbox(json!({"enabled": true})),
            vec![r#"--settings={"a":1,"sandbox":{"enabled":true}}"#],
        ),
        (a().managed_settings(object(json!({"m": 1}))), vec![r#"--managed-settings={"m":1}"#]),
        (a().setting_sources([SettingSource::User, SettingSource::Local]), vec!["--setting-sources=user,local"]),
        (a().setting_sources([]), vec!["--setting-sources="]),
        (a().project_config_root("/r"), vec!["--project-config-root=/r"]),
        (
            a().plugin(Plugin::local("/p")).plugin(Plugin::without_mcp("/q")),
            vec!["--plugin-dir=/p", "--plugin-dir-no-mcp=/q"],
        ),
        (a().plugin(Plugin::local("/p")).plugin_delivery(PluginDelivery::Initialize), vec!["--await-initialize"]),
        (a().partial_messages(true), vec!["--include-partial-messages"]),
        (a().hook_events(true), vec!["--include-hook-events"]),
        (a().replay_prompts(true), vec!["--replay-user-messages"]),
        (a().debug(true).debug_file("/d"), vec!["--debug", "--debug-file=/d"]),
        (a().extra_arg("x", Some("1")).extra_arg("--y", None), vec!["--x=1", "--y"]),
    ];
    for (agent, expected) in table {
        assert_eq!(args(&agent), expected);
    }
}

#[test]
fn contradictions_are_refused() {
    let sure = |agent: Agent| invocation(&agent.options, agent.callbacks.permission.is_some()).is_err();
    assert!(sure(Agent::new().permission(|_| async { Decision::allow() }).permission_prompt_tool("x")));
    assert!(sure(Agent::new().settings_file("/s").sandbox(json!({}))));
    assert!(sure(Agent::new().model("a").fallback_model("a")));
    assert!(sure(Agent::new().extra_arg("--", Some("x"))));
}

#[test]
fn long_values_may_stand_in_a_file() {
    let agent = Agent::new().settings(object(json!({"long": "x".repeat(LONG)})));
    assert!(matches!(made(&agent).args[3], Arg::Spill { flag: "--settings", .. }));
}

#[test]
fn the_callers_environment_wins() {
    let agent = Agent::new()
        .env("CLAUDE_CODE_ENTRYPOINT", "mine")
        .env_remove("HOME")
        .file_checkpointing()
        .tool_search(false)
        .question_preview(QuestionPreview::Html)
        .extended_questions(true)
        .optional_question_descriptions(true);
    let env: std::collections::HashMap<_, _> = made(&agent).env.into_iter().collect();
    let value =
        |name: &str| env.get(OsStr::new(name)).cloned().expect("said").map(|value| value.into_string().expect("text"));
    assert_eq!(value("CLAUDECODE"), None);
    assert_eq!(value("NODE_OPTIONS"), None);
    assert_eq!(value("HOME"), None);
    assert_eq!(value("CLAUDE_CODE_ENTRYPOINT").as_deref(), Some("mine"));
    assert_eq!(value("CLAUDE_CODE_SDK_READS_SESSION_STATE").as_deref(), Some("1"));
    assert_eq!(value("CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING").as_deref(), Some("true"));
    assert_eq!(value("ENABLE_TOOL_SEARCH").as_deref(), Some("false"));
    assert_eq!(value("CLAUDE_CODE_QUESTION_PREVIEW_FORMAT").as_deref(), Some("html"));
    assert_eq!(value("CLAUDE_CODE_QUESTION_EXTENDED").as_deref(), Some("1"));
    assert_eq!(value("CLAUDE_CODE_QUESTION_OPTIONAL_DESCRIPTIONS").as_deref(), Some("1"));
}

proptest! {
    /// Whatever the values, they change no argument's flag and add no argument.
    #[test]
    fn no_value_becomes_a_flag(value in "(--?[a-z-]{0,12}(=.{0,5})?|.{0,20})") {
        let agent = |value: &str| {
            Agent::new().model(value).resume(value).agent(value).allow_tools([value]).disallow_tools([value])
                .only_tools([value]).add_dir(value).session_id(value).fallback_model("other").settings_file(value)
                .permission_prompt_tool(value).extra_arg("extra", Some(value)).mcp_server(value, McpServer::stdio(value))
        };
        let flags = |agent: &Agent| -> Vec<String> {
            args(agent).iter().map(|arg| arg.split_once('=').map_or(arg.as_str(), |(flag, _)| flag).to_owned()).collect()
        };
        prop_assume!(value != "other");
        prop_assert_eq!(flags(&agent(&value)), flags(&agent("harmless")));
        for arg in args(&agent(&value)) {
            prop_assert!(arg.contains('='));
        }
    }
}
