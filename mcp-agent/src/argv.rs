//! Options become an invocation: arguments, environment, working directory. Pure.

use std::ffi::{OsStr, OsString};

use serde_json::{Map, Value};

use crate::invocation::{Arg, Invocation};
use crate::options::{
    Options, OptionsError, Origin, PluginDelivery, Settings, SettingsSource, Skills, Thinking, ToolsOffered,
};

/// A value longer than this goes to a file where it can: some platforms allow 8,191 characters for all arguments together.
const LONG: usize = 4 << 10;

/// Makes the invocation.
///
/// Every value is joined to its flag, so that none can be taken for a flag itself. `asks_host` says that the host answers
/// permission questions.
pub(crate) fn invocation(options: &Options, asks_host: bool) -> Result<Invocation, OptionsError> {
    let mut args = Args::default();
    for arg in ["--output-format=stream-json", "--input-format=stream-json", "--verbose"] {
        args.plain(arg);
    }
    model(options, &mut args)?;
    tools(options, &mut args);
    permissions(options, asks_host, &mut args)?;
    conversation(options, &mut args);
    servers(options, &mut args);
    settings(&options.settings, &mut args)?;
    output(options, &mut args);
    for (name, value) in &options.environment.extra_args {
        let name = name.trim_start_matches('-');
        match value {
            _ if name.is_empty() => return Err(OptionsError::NamelessArgument),
            Some(value) => args.value(&format!("--{name}"), value),
            None => args.plain(format!("--{name}")),
        }
    }
    Ok(Invocation {
        args: args.0,
        env: environment(options),
        clear_env: options.environment.clear,
        cwd: options.environment.cwd.clone(),
    })
}

#[derive(Default)]
struct Args(Vec<Arg>);

impl Args {
    fn plain(&mut self, arg: impl Into<OsString>) {
        self.0.push(Arg::Plain(arg.into()));
    }

    fn value(&mut self, flag: &str, value: impl AsRef<OsStr>) {
        let mut arg = OsString::from(flag);
        arg.push("=");
        arg.push(value);
        self.plain(arg);
    }

    fn option(&mut self, flag: &str, value: Option<impl AsRef<OsStr>>) {
        if let Some(value) = value {
            self.value(flag, value);
        }
    }

    fn number(&mut self, flag: &str, value: Option<impl ToString>) {
        self.option(flag, value.map(|value| value.to_string()));
    }

    fn list(&mut self, flag: &str, values: &[String]) {
        if !values.is_empty() {
            self.value(flag, values.join(","));
        }
    }

    fn switch(&mut self, flag: &str, on: bool) {
        if on {
            self.plain(flag);
        }
    }

    fn json(&mut self, flag: &'static str, value: &Value) {
        let value = value.to_string();
        if value.len() > LONG {
            self.0.push(Arg::Spill { flag, value });
        } else {
            self.value(flag, value);
        }
    }
}

fn model(options: &Options, args: &mut Args) -> Result<(), OptionsError> {
    let model = &options.model;
    if model.model.is_some() && model.model == model.fallback {
        return Err(OptionsError::Conflict { one: "model", other: "fallback_model with the same name" });
    }
    args.option("--model", model.model.as_ref());
    args.option("--fallback-model", model.fallback.as_ref());
    args.option("--effort", model.effort.as_ref().map(|effort| effort.as_str()));
    args.list("--betas", &model.betas);
    let display = match (&model.thinking, model.max_thinking_tokens) {
        (Some(Thinking::Adaptive { display }), _) => {
            args.value("--thinking", "adaptive");
            display.as_ref()
        }
        (Some(Thinking::Enabled { budget_tokens, display }), _) => {
            match budget_tokens {
                Some(tokens) => args.number("--max-thinking-tokens", Some(tokens)),
                None => args.value("--thinking", "adaptive"),
            }
            display.as_ref()
        }
        (Some(Thinking::Disabled), _) | (None, Some(0)) => {
            args.value("--thinking", "disabled");
            None
        }
        (None, tokens) => {
            args.number("--max-thinking-tokens", tokens);
            None
        }
    };
    args.option("--thinking-display", display.map(|display| display.as_str()));
    args.number("--max-turns", options.limits.turns);
    args.number("--max-budget-usd", options.limits.budget_usd);
    args.number("--task-budget", options.limits.task_budget);
    args.option("--agent", options.subagents.main.as_ref());
    Ok(())
}

fn tools(options: &Options, args: &mut Args) {
    let tools = &options.tools;
    match &tools.offered {
        ToolsOffered::Unsaid => {}
        ToolsOffered::Default => args.value("--tools", "default"),
        ToolsOffered::Only(names) => args.value("--tools", names.join(",")),
    }
    let mut allowed = tools.allowed.clone();
    let skills = match &tools.skills {
        None => Vec::new(),
        Some(Skills::All) => vec!["Skill".to_owned()],
        Some(Skills::Only(names)) => names.iter().map(|name| format!("Skill({name})")).collect(),
    };
    allowed.extend(skills.into_iter().filter(|skill| !tools.allowed.contains(skill)));
    args.list("--allowedTools", &allowed);
    args.list("--disallowedTools", &tools.disallowed);
}

fn permissions(options: &Options, asks_host: bool, args: &mut Args) -> Result<(), OptionsError> {
    let permissions = &options.permissions;
    match &permissions.prompt_tool {
        Some(_) if asks_host => {
            return Err(OptionsError::Conflict { one: "permission", other: "permission_prompt_tool" });
        }
        Some(tool) => args.value("--permission-prompt-tool", tool),
        None if asks_host => args.value("--permission-prompt-tool", "stdio"),
        None => {}
    }
    args.option("--permission-mode", permissions.mode.as_ref().map(|mode| mode.as_str()));
    args.switch("--allow-dangerously-skip-permissions", permissions.allow_bypass);
    args.option("--permission-prompts", permissions.prompts.as_ref().map(|prompts| prompts.as_str()));
    for directory in &permissions.directories {
        args.value("--add-dir", directory);
    }
    Ok(())
}

fn conversation(options: &Options, args: &mut Args) {
    let conversation = &options.conversation;
    match &conversation.origin {
        Origin::New => {}
        Origin::Latest => args.plain("--continue"),
        Origin::Session(id) => args.value("--resume", id),
    }
    args.switch("--fork-session", conversation.fork);
    args.option("--resume-session-at", conversation.resume_at.as_ref());
    args.option("--resume-drops-turn", conversation.resume_drops_turn.as_ref());
    args.option("--session-id", conversation.id.as_ref());
    args.switch("--no-session-persistence", conversation.forget);
    args.switch("--session-mirror", conversation.mirror);
}

fn servers(options: &Options, args: &mut Args) {
    let servers = &options.servers;
    if !servers.configured.is_empty() {
        args.json("--mcp-config", &serde_json::json!({"mcpServers": servers.configured}));
    }
    args.switch("--strict-mcp-config", servers.strict);
}

fn settings(settings: &Settings, args: &mut Args) -> Result<(), OptionsError> {
    match (&settings.source, &settings.sandbox) {
        (None, None) => {}
        (Some(SettingsSource::File(_)), Some(_)) => {
            return Err(OptionsError::Conflict { one: "settings_file", other: "sandbox" });
        }
        (Some(SettingsSource::File(path)), None) => args.value("--settings", path),
        (source, sandbox) => {
            let mut merged = match source {
                Some(SettingsSource::Inline(settings)) => settings.clone(),
                _ => Map::new(),
            };
            if let Some(sandbox) = sandbox {
                merged.insert("sandbox".to_owned(), sandbox.clone());
            }
            args.json("--settings", &Value::Object(merged));
        }
    }
    if let Some(managed) = &settings.managed {
        args.value("--managed-settings", Value::Object(managed.clone()).to_string());
    }
    if let Some(sources) = &settings.sources {
        let names: Vec<&str> = sources.iter().map(|source| source.as_str()).collect();
        args.value("--setting-sources", names.join(","));
    }
    args.option("--project-config-root", settings.project_config_root.as_ref());
    match settings.plugin_delivery {
        PluginDelivery::Arguments => {
            for plugin in &settings.plugins {
                let flag = if plugin.skip_mcp_discovery { "--plugin-dir-no-mcp" } else { "--plugin-dir" };
                args.value(flag, &plugin.path);
            }
        }
        PluginDelivery::Initialize => args.plain("--await-initialize"),
    }
    Ok(())
}

fn output(options: &Options, args: &mut Args) {
    let output = &options.output;
    args.switch("--include-partial-messages", output.partial_messages);
    args.switch("--include-hook-events", output.hook_events);
    args.switch("--replay-user-messages", output.replay_prompts);
    // Said in the initialize request too, where the CLI drops a schema that it cannot use without a word. Here it says so.
    let schema = output.schema.as_ref().map(|schema| Value::Object(schema.clone()).to_string());
    args.option("--json-schema", schema.filter(|schema| schema.len() <= LONG));
    args.switch("--debug", output.debug);
    args.option("--debug-file", output.debug_file.as_ref());
}

/// The environment as the official SDKs set and remove it; the caller's own wishes come last and win.
fn environment(options: &Options) -> Vec<(OsString, Option<OsString>)> {
    let set = |name: &str, value: &str| (OsString::from(name), Some(OsString::from(value)));
    let remove = |name: &str| (OsString::from(name), None);
    let mut env = vec![
        // Left by a Claude Code that runs us: the CLI would take itself for its own child.
        remove("CLAUDECODE"),
        // Meant for another program; both change what the CLI prints.
        remove("NODE_OPTIONS"),
        remove("DEBUG"),
        set("CLAUDE_CODE_ENTRYPOINT", "sdk-rs"),
        set("CLAUDE_AGENT_SDK_VERSION", env!("CARGO_PKG_VERSION")),
        // Without it nobody says when a session is idle.
        set("CLAUDE_CODE_SDK_READS_SESSION_STATE", "1"),
    ];
    if options.conversation.checkpoints {
        env.push(set("CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING", "true"));
    }
    if let Some(search) = options.tools.search {
        env.push(set("ENABLE_TOOL_SEARCH", if search { "true" } else { "false" }));
    }
    if let Some(format) = &options.tools.question_preview {
        env.push(set("CLAUDE_CODE_QUESTION_PREVIEW_FORMAT", format.as_str()));
    }
    if options.tools.extended_questions {
        env.push(set("CLAUDE_CODE_QUESTION_EXTENDED", "1"));
    }
    if options.tools.optional_question_descriptions {
        env.push(set("CLAUDE_CODE_QUESTION_OPTIONAL_DESCRIPTIONS", "1"));
    }
    env.extend(options.environment.variables.iter().cloned());
    env
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::Agent;
    use crate::options::{Effort, McpServer, PermissionPrompts, Plugin, QuestionPreview, SettingSource, ThinkingDisplay};
    use crate::permission::{Decision, PermissionMode};
    use proptest::prelude::*;
    use serde_json::json;

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
}
