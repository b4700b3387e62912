//! The `initialize` request: the options that are sent in the protocol. Does no I/O.

mod welcome;

pub use welcome::{Account, AgentInfo, ModelInfo, Welcome, WelcomeFields};

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::hook::{Hooks, Matcher};
use crate::mount::{Manifest, Mounts};
use crate::options::{AgentDefinition, McpServer, Options, Plugin, PluginDelivery, Skills, SystemPrompt};

/// The `initialize` request. Options that are not set are left out.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Initialize<'a> {
    subtype: &'static str,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    hooks: BTreeMap<&'a str, Vec<&'a Matcher>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sdk_mcp_servers: Vec<&'a str>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    sdk_mcp_server_configs: BTreeMap<&'a str, Map<String, Value>>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    sdk_mcp_server_manifests: BTreeMap<&'a str, Manifest>,
    /// Says that the manifests were made for this request. A CLI that is reached over a remote session ignores others.
    #[serde(skip_serializing_if = "Option::is_none")]
    sdk_mcp_server_manifests_origin: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mcp_servers: Option<&'a BTreeMap<String, McpServer>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    json_schema: Option<&'a Map<String, Value>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    system_prompt: Option<Vec<&'a str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    append_system_prompt: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    system_prompt_snapshot: Option<bool>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    exclude_dynamic_sections: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    plan_mode_instructions: Option<&'a str>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    tool_aliases: &'a BTreeMap<String, String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    agents: &'a BTreeMap<String, AgentDefinition>,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    skills: Option<&'a [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt_suggestions: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent_progress_summaries: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    forward_subagent_text: Option<bool>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    supported_dialog_kinds: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    per_task_stop_affordance: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    plugins: Option<&'a [Plugin]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    managed_settings: Option<&'a Map<String, Value>>,
}

impl<'a> Initialize<'a> {
    pub(crate) fn new(options: &'a Options, hooks: &'a Hooks, mounts: &'a Mounts, dialogs: &'a [String]) -> Self {
        let mut events = BTreeMap::<&str, Vec<&Matcher>>::new();
        for matcher in hooks.matchers() {
            events.entry(&matcher.event).or_default().push(matcher);
        }
        let (system_prompt, append, exclude) = match &options.prompt.system {
            SystemPrompt::Empty => (Some(vec![""]), None, false),
            SystemPrompt::Text(texts) => (Some(texts.iter().map(String::as_str).collect()), None, false),
            SystemPrompt::ClaudeCode { append, exclude_dynamic_sections } => {
                (None, append.as_deref(), *exclude_dynamic_sections)
            }
        };
        let manifests = mounts.manifests();
        Self {
            subtype: "initialize",
            hooks: events,
            sdk_mcp_servers: mounts.names().collect(),
            sdk_mcp_server_configs: mounts.configs(),
            sdk_mcp_server_manifests_origin: (!manifests.is_empty()).then_some("host_per_send"),
            sdk_mcp_server_manifests: manifests,
            mcp_servers: options.servers.in_initialize(),
            json_schema: options.output.schema.as_ref(),
            system_prompt,
            append_system_prompt: append,
            system_prompt_snapshot: options.prompt.snapshot,
            exclude_dynamic_sections: exclude,
            plan_mode_instructions: options.prompt.plan_mode_instructions.as_deref(),
            tool_aliases: &options.tools.aliases,
            agents: &options.subagents.defined,
            title: options.conversation.title.as_deref(),
            skills: match &options.tools.skills {
                Some(Skills::Only(names)) => Some(names),
                Some(Skills::All) | None => None,
            },
            prompt_suggestions: options.prompt.suggestions,
            agent_progress_summaries: options.subagents.progress_summaries,
            forward_subagent_text: options.subagents.forward_text,
            supported_dialog_kinds: dialogs,
            per_task_stop_affordance: options.subagents.stop_affordance,
            plugins: (options.settings.plugin_delivery == PluginDelivery::Initialize)
                .then_some(options.settings.plugins.as_slice()),
            managed_settings: options.settings.managed.as_ref(),
        }
    }
}

impl Initialize<'_> {
    /// Returns the fields of a later `initialize` of the same session. Manifests are only for the first one.
    pub(crate) fn again(&self) -> Map<String, Value> {
        let mut fields = match serde_json::to_value(self) {
            Ok(Value::Object(fields)) => fields,
            // Unreachable: this request was serialized before.
            _ => Map::new(),
        };
        fields.retain(|name, _| !name.starts_with("sdkMcpServerManifests"));
        fields
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::Agent;
    use crate::hook::{Hook, PreToolUse, Stop};
    use crate::options::{McpServersDelivery, MountOptions, ToolPermission};
    use serde_json::json;
    use std::time::Duration;

    fn said(agent: &Agent) -> Value {
        let kinds = &agent.callbacks.dialog_kinds;
        let first = Initialize::new(&agent.options, &agent.callbacks.hooks, &agent.mounts, kinds);
        serde_json::to_value(first).expect("serialises")
    }

    /// Returns the fields beyond `subtype` and the empty system prompt, which every agent sends.
    fn more(agent: &Agent) -> Value {
        let mut said = said(agent);
        let object = said.as_object_mut().expect("an object");
        assert_eq!(object.remove("subtype"), Some(json!("initialize")));
        if object.get("systemPrompt") == Some(&json!([""])) {
            object.remove("systemPrompt");
        }
        said
    }

    #[test]
    fn default_options_send_an_empty_system_prompt() {
        assert_eq!(said(&Agent::new()), json!({"subtype": "initialize", "systemPrompt": [""]}));
    }

    #[test]
    fn every_option_of_the_protocol_is_sent() {
        let a = Agent::new;
        let table = [
            (a().system_prompt("be terse"), json!({"systemPrompt": ["be terse"]})),
            (a().system_prompt(["a", "b"].into_iter().collect::<SystemPrompt>()), json!({"systemPrompt": ["a", "b"]})),
            (a().system_prompt(SystemPrompt::claude_code()), json!({})),
            (a().system_prompt(SystemPrompt::claude_code_and("x")), json!({"appendSystemPrompt": "x"})),
            (
                a().system_prompt(SystemPrompt::ClaudeCode { append: None, exclude_dynamic_sections: true }),
                json!({"excludeDynamicSections": true}),
            ),
            (a().system_prompt_snapshot(false), json!({"systemPromptSnapshot": false})),
            (a().plan_mode_instructions("p"), json!({"planModeInstructions": "p"})),
            (a().prompt_suggestions(true), json!({"promptSuggestions": true})),
            (a().alias_tool("A", "B"), json!({"toolAliases": {"A": "B"}})),
            (a().skills(["pdf"]), json!({"skills": ["pdf"]})),
            (a().all_skills(), json!({})),
            (a().title("t"), json!({"title": "t"})),
            (
                a().define_agent("h", AgentDefinition::new("d", "p").tools(["Read"]).with("memory", "user")),
                json!({"agents": {"h": {"description": "d", "prompt": "p", "tools": ["Read"], "memory": "user"}}}),
            ),
            (a().agent_progress_summaries(true), json!({"agentProgressSummaries": true})),
            (a().forward_subagent_text(true), json!({"forwardSubagentText": true})),
            (a().per_task_stop(true), json!({"perTaskStopAffordance": true})),
            (
                a().managed_settings([("m".to_owned(), json!(1))].into_iter().collect::<Map<_, _>>()),
                json!({"managedSettings": {"m": 1}}),
            ),
            (
                a().plugin(Plugin::without_mcp("/p")).plugin_delivery(PluginDelivery::Initialize),
                json!({"plugins": [{"type": "local", "path": "/p", "skipMcpDiscovery": true}]}),
            ),
            (
                a().mcp_server("x", McpServer::http("u")).mcp_servers_delivery(McpServersDelivery::Initialize),
                json!({"mcpServers": {"x": {"type": "http", "url": "u"}}}),
            ),
            (a().mcp_server("x", McpServer::http("u")), json!({})),
            (
                a().user_dialog(["confirm"], |_| async { crate::DialogAnswer::Cancelled }),
                json!({"supportedDialogKinds": ["confirm"]}),
            ),
        ];
        for (agent, expected) in table {
            assert_eq!(more(&agent), expected);
        }
    }

    #[test]
    fn hooks_are_grouped_by_event_in_their_order() {
        let agent = Agent::new()
            .hook(Hook::<PreToolUse>::new().matcher("A"), |_| async {})
            .hook(Hook::<Stop>::new(), |_| async {})
            .hook(Hook::<PreToolUse>::new().matcher("B"), |_| async {});
        let expected = json!({"hooks": {
            "PreToolUse": [{"matcher": "A", "hookCallbackIds": ["hook_0"]}, {"matcher": "B", "hookCallbackIds": ["hook_2"]}],
            "Stop": [{"hookCallbackIds": ["hook_1"]}]
        }});
        assert_eq!(more(&agent), expected);
    }

    #[test]
    fn an_output_schema_uses_a_draft_that_the_cli_accepts() {
        #[derive(schemars::JsonSchema)]
        #[expect(dead_code, reason = "only its schema is wanted")]
        struct Answer {
            text: String,
        }
        let schema = &more(&Agent::new().output_of::<Answer>())["jsonSchema"];
        assert_eq!(schema["properties"]["text"]["type"], "string");
        assert_eq!(schema["$schema"], "http://json-schema.org/draft-07/schema#");
    }

    #[test]
    fn manifests_of_mounted_servers_are_sent() {
        let server = mcp_core::Server::builder("calc", "1.0.0");
        let options =
            MountOptions::new().timeout(Duration::from_secs(3)).tool_permission("delete", ToolPermission::AlwaysAsk);
        let agent = Agent::new().mount("a", server).mount_with("b", mcp_core::Server::builder("other", "2.0.0"), options);
        let said = more(&agent);
        assert_eq!(said["sdkMcpServers"], json!(["a", "b"]));
        assert_eq!(
            said["sdkMcpServerConfigs"],
            json!({"b": {"timeout": 3000, "tools": [{"name": "delete", "permission_policy": "always_ask"}]}})
        );
        assert_eq!(said["sdkMcpServerManifestsOrigin"], "host_per_send");
        assert_eq!(said["sdkMcpServerManifests"]["a"]["initializeResult"]["serverInfo"]["name"], "calc");
        assert_eq!(said["sdkMcpServerManifests"]["b"]["toolsListResult"]["tools"], json!([]));
    }
}
