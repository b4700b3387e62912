//! Maps options to command line flags, by group.

use serde_json::{Map, Value};

use super::args::{Args, LONG};
use crate::options::{
    Options, OptionsError, Origin, PluginDelivery, Settings, SettingsSource, Skills, Thinking, ToolsOffered,
};
use crate::settings::merge;

/// Adds all flags. `asks_host` is true if there is a permission callback.
pub(super) fn all(options: &Options, asks_host: bool, args: &mut Args) -> Result<(), OptionsError> {
    model(options, args)?;
    tools(options, args);
    permissions(options, asks_host, args)?;
    conversation(options, args);
    servers(options, args);
    settings(&options.settings, args)?;
    let waits = options.settings.are_in_initialize() || options.servers.in_initialize().is_some();
    args.switch("--await-initialize", waits);
    output(options, args);
    Ok(())
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
    args.switch("--session-mirror", conversation.mirror || conversation.store.store.is_some());
}

fn servers(options: &Options, args: &mut Args) {
    let servers = &options.servers;
    if !servers.configured.is_empty() && servers.in_initialize().is_none() {
        args.file("--mcp-config", &serde_json::json!({"mcpServers": servers.configured}));
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
                merge(merged.entry("sandbox").or_insert_with(|| Value::Object(Map::new())), sandbox);
            }
            if let Some(Value::Object(sandbox)) = merged.get_mut("sandbox") {
                // Without this setting the CLI runs commands unsandboxed if it cannot create a sandbox.
                sandbox.entry("failIfUnavailable").or_insert(Value::Bool(true));
            }
            args.file("--settings", &Value::Object(merged));
        }
    }
    // Unlike the other settings these cannot be in a file.
    args.switch("--managed-settings-in-initialize", settings.managed.is_some());
    let has_plugins_in_initialize = settings.plugin_delivery == PluginDelivery::Initialize;
    if let Some(sources) = &settings.sources {
        let names: Vec<&str> = sources.iter().map(|source| source.as_str()).collect();
        args.value("--setting-sources", names.join(","));
    }
    args.option("--project-config-root", settings.project_config_root.as_ref());
    for plugin in settings.plugins.iter().filter(|_| !has_plugins_in_initialize) {
        let flag = if plugin.skip_mcp_discovery { "--plugin-dir-no-mcp" } else { "--plugin-dir" };
        args.value(flag, &plugin.path);
    }
    Ok(())
}

fn output(options: &Options, args: &mut Args) {
    let output = &options.output;
    args.switch("--include-partial-messages", output.partial_messages);
    args.switch("--include-hook-events", output.hook_events);
    args.switch("--replay-user-messages", output.replay_prompts);
    // The schema is also part of the `initialize` request, where the CLI silently ignores an invalid one. For this flag
    // it reports the error.
    let schema = output.schema.as_ref().map(|schema| Value::Object(schema.clone()).to_string());
    args.option("--json-schema", schema.filter(|schema| schema.len() <= LONG));
    args.switch("--debug", output.debug);
    args.option("--debug-file", output.debug_file.as_ref());
}
