//! Tests of the arguments and variables that options become.

use std::ffi::OsStr;

use super::*;
use crate::agent::Agent;
use crate::invocation::Arg;
use crate::options::{
    Effort, McpServer, PermissionPrompts, Plugin, PluginDelivery, QuestionPreview, SettingSource, Thinking, ThinkingDisplay,
};
use crate::permission::{Decision, PermissionMode};
use serde_json::{Map, Value, json};

const ALWAYS: [&str; 3] = ["--output-format=stream-json", "--input-format=stream-json", "--verbose"];

fn made(agent: &Agent) -> Invocation {
    invocation(&agent.options, agent.callbacks.permission.is_some()).expect("no contradiction")
}

/// Returns the arguments beyond those that are always present.
fn args(agent: &Agent) -> Vec<String> {
    let args: Vec<String> = made(agent).args.iter().map(|arg| arg.inline().into_string().expect("text")).collect();
    assert_eq!(&args[..3], ALWAYS);
    args[3..].to_vec()
}

fn object(value: Value) -> Map<String, Value> {
    value.as_object().cloned().expect("an object")
}

#[test]
fn default_options_add_no_arguments() {
    assert_eq!(args(&Agent::new()), Vec::<String>::new());
}

/// Asserts that each agent becomes the given arguments.
fn become_arguments<const N: usize>(table: [(Agent, &[&str]); N]) {
    for (agent, expected) in table {
        assert_eq!(args(&agent), expected);
    }
}

#[test]
fn the_model_and_its_limits_reach_the_command_line() {
    let a = Agent::new;
    let display = Some(ThinkingDisplay::Omitted);
    become_arguments([
        (a().model("haiku"), &["--model=haiku"]),
        (a().fallback_model("opus"), &["--fallback-model=opus"]),
        (a().effort(Effort::XHigh), &["--effort=xhigh"]),
        (a().betas(["x", "y"]), &["--betas=x,y"]),
        (a().thinking(Thinking::Adaptive { display: None }), &["--thinking=adaptive"]),
        (
            a().thinking(Thinking::Enabled { budget_tokens: Some(9), display }),
            &["--max-thinking-tokens=9", "--thinking-display=omitted"],
        ),
        (a().thinking(Thinking::Disabled), &["--thinking=disabled"]),
        (a().max_thinking_tokens(0), &["--thinking=disabled"]),
        (a().max_thinking_tokens(7), &["--max-thinking-tokens=7"]),
        (a().max_turns(2), &["--max-turns=2"]),
        (a().max_budget_usd(0.5), &["--max-budget-usd=0.5"]),
        (a().task_budget(1000), &["--task-budget=1000"]),
        (a().agent("reviewer"), &["--agent=reviewer"]),
    ]);
}

#[test]
fn tools_and_permissions_reach_the_command_line() {
    let a = Agent::new;
    become_arguments([
        (a().only_tools(["Read", "Bash"]), &["--tools=Read,Bash"]),
        (a().only_tools([""; 0]), &["--tools="]),
        (a().default_tools(), &["--tools=default"]),
        (a().allow_tools(["mcp__calc__add", "Bash(git *)"]), &["--allowedTools=mcp__calc__add,Bash(git *)"]),
        (a().disallow_tools(["Write"]), &["--disallowedTools=Write"]),
        (a().skills(["pdf"]).allow_tools(["Read"]), &["--allowedTools=Read,Skill(pdf)"]),
        (a().all_skills(), &["--allowedTools=Skill"]),
        (a().permission(|_| async { Decision::allow() }), &["--permission-prompt-tool=stdio"]),
        (a().permission_prompt_tool("mcp__a__b"), &["--permission-prompt-tool=mcp__a__b"]),
        (a().permission_mode(PermissionMode::AcceptEdits), &["--permission-mode=acceptEdits"]),
        (a().allow_dangerously_skip_permissions(), &["--allow-dangerously-skip-permissions"]),
        (a().permission_prompts(PermissionPrompts::None), &["--permission-prompts=none"]),
        (a().add_dir("/a").add_dir("/b c"), &["--add-dir=/a", "--add-dir=/b c"]),
    ]);
}

#[test]
fn conversation_options_reach_the_command_line() {
    let a = Agent::new;
    become_arguments([
        (a().continue_latest(), &["--continue"]),
        (a().resume("id").fork(), &["--resume=id", "--fork-session"]),
        (a().resume("id").resume_at("m"), &["--resume=id", "--resume-session-at=m"]),
        (
            a().resume("id").resume_at("m").resume_drops_turn("n"),
            &["--resume=id", "--resume-session-at=m", "--resume-drops-turn=n"],
        ),
        (a().session_id("id"), &["--session-id=id"]),
        (a().persist_session(false), &["--no-session-persistence"]),
        (a().mirror_session(), &["--session-mirror"]),
    ]);
}

#[test]
fn servers_settings_and_plugins_reach_the_command_line() {
    let a = Agent::new;
    become_arguments([
        (
            a().mcp_server("s", McpServer::http("http://x/")),
            &[r#"--mcp-config={"mcpServers":{"s":{"type":"http","url":"http://x/"}}}"#],
        ),
        (a().strict_mcp_config(true), &["--strict-mcp-config"]),
        (a().settings_file("/s.json"), &["--settings=/s.json"]),
        (
            a().settings(object(json!({"a": 1}))).sandbox(json!({"enabled": true})),
            &[r#"--settings={"a":1,"sandbox":{"enabled":true,"failIfUnavailable":true}}"#],
        ),
        (a().managed_settings(object(json!({"m": 1}))), &["--managed-settings-in-initialize", "--await-initialize"]),
        (a().setting_sources([SettingSource::User, SettingSource::Local]), &["--setting-sources=user,local"]),
        (a().setting_sources([]), &["--setting-sources="]),
        (a().project_config_root("/r"), &["--project-config-root=/r"]),
        (a().plugin(Plugin::local("/p")).plugin(Plugin::without_mcp("/q")), &["--plugin-dir=/p", "--plugin-dir-no-mcp=/q"]),
        (a().plugin(Plugin::local("/p")).plugin_delivery(PluginDelivery::Initialize), &["--await-initialize"]),
    ]);
}

#[test]
fn output_options_and_extra_arguments_reach_the_command_line() {
    let a = Agent::new;
    become_arguments([
        (a().partial_messages(true), &["--include-partial-messages"]),
        (a().hook_events(true), &["--include-hook-events"]),
        (a().replay_prompts(true), &["--replay-user-messages"]),
        (a().debug(true).debug_file("/d"), &["--debug", "--debug-file=/d"]),
        (a().extra_arg("x", Some("1")).extra_arg("--y", None), &["--x=1", "--y"]),
    ]);
}

#[test]
fn contradicting_options_are_rejected() {
    let sure = |agent: Agent| invocation(&agent.options, agent.callbacks.permission.is_some()).is_err();
    assert!(sure(Agent::new().permission(|_| async { Decision::allow() }).permission_prompt_tool("x")));
    assert!(sure(Agent::new().settings_file("/s").sandbox(json!({}))));
    assert!(sure(Agent::new().model("a").fallback_model("a")));
    assert!(sure(Agent::new().resume("id").resume_drops_turn("m")));
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

#[test]
fn a_sandbox_is_merged_into_inline_settings_and_must_be_available() {
    let inline = object(json!({"sandbox": {"filesystem": {"denyRead": ["/a"]}, "enabled": false}}));
    let option = json!({"enabled": true, "filesystem": {"denyRead": ["/b"]}, "failIfUnavailable": false});
    become_arguments([
        (
            Agent::new().settings(inline).sandbox(option),
            &[r#"--settings={"sandbox":{"filesystem":{"denyRead":["/a","/b"]},"enabled":true,"failIfUnavailable":false}}"#],
        ),
        (
            Agent::new().settings(object(json!({"sandbox": {"enabled": true}}))),
            &[r#"--settings={"sandbox":{"enabled":true,"failIfUnavailable":true}}"#],
        ),
    ]);
}

#[test]
fn settings_and_servers_are_not_on_the_command_line() {
    let agent = Agent::new()
        .mcp_server("a", McpServer::stdio("server").env("TOKEN", "secret"))
        .mcp_server("b", McpServer::http("http://x/?key=secret").header("Authorization", "Bearer secret"))
        .settings(object(json!({"env": {"TOKEN": "secret"}})))
        .managed_settings(object(json!({"env": {"TOKEN": "secret"}})));
    let in_files = |arg: &Arg| match arg {
        Arg::Spill { flag, .. } => Some(*flag),
        Arg::Plain(arg) => {
            assert!(!arg.to_string_lossy().contains("secret"), "{arg:?}");
            None
        }
    };
    assert_eq!(made(&agent).args.iter().filter_map(in_files).collect::<Vec<_>>(), ["--mcp-config", "--settings"]);
}
