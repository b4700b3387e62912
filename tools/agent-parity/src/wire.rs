//! What the pinned CLI sends in a session with a scripted model.

use std::collections::BTreeSet;
use std::error::Error;

use mcp_agent::hook::AnyEvent;
use mcp_agent::{Agent, Decision, Hook, Message, Session};
use mcp_agent_test::{Cli, Model, Sandbox, Turn, prompt};
use mcp_core::{server, tool, tools};
use serde_json::{Value, json};

/// Add two numbers.
#[tool(read_only, always_load)]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Runs a session with the pinned CLI and returns each field of what it sends, with its JSON type: `system/init.tools[]: string`. The
/// tools that it offers to the model are listed with the fields of their inputs.
///
/// # Errors
/// If the CLI cannot be installed or a turn fails.
pub async fn shapes() -> Result<BTreeSet<String>, Box<dyn Error>> {
    let (cli, model, sandbox) = (Cli::pinned()?, Model::start()?, Sandbox::new()?);
    let agent = Agent::new()
        .mount("calc", server!().tools(tools![add]))
        .file_checkpointing()
        .partial_messages(true)
        .permission(|_| async { Decision::allow() });
    let agent =
        mcp_agent::hook::event_names().fold(agent, |agent, name| agent.hook(Hook::<AnyEvent>::named(name), |_| async {}));
    let mut session = sandbox.confine(agent, &cli, &model).open().await?;
    let mut shapes = BTreeSet::new();
    add_shape(&mut shapes, "initialize", &serde_json::to_value(session.welcome())?);
    for turns in conversations(&sandbox) {
        session.send(prompt("go", turns)).await?;
        while let Some(message) = session.next().await? {
            add_message(&mut shapes, &message)?;
        }
    }
    add_replies(&mut shapes, &session).await;
    session.close().await?;
    for request in model.requests() {
        for tool in request.body()["tools"].as_array().into_iter().flatten() {
            let name = tool["name"].as_str().unwrap_or_default();
            add_schema(&mut shapes, &format!("tool {name}"), &tool["input_schema"]);
        }
    }
    Ok(shapes)
}

/// One prompt for each tool: the tools of the CLI differ between versions, and a tool that is missing ends its turn.
fn conversations(sandbox: &Sandbox) -> Vec<Vec<Turn>> {
    let file = sandbox.work().join("notes.txt");
    let agent = json!({"description": "d", "prompt": "p", "subagent_type": "general-purpose", "run_in_background": false});
    let uses = [
        ("Write", json!({"file_path": file, "content": "one\n"})),
        ("Edit", json!({"file_path": file, "old_string": "one", "new_string": "two"})),
        ("Read", json!({"file_path": file})),
        ("Bash", json!({"command": "echo hello"})),
        ("Agent", agent),
        ("mcp__calc__add", json!({"a": 1, "b": 2})),
    ];
    uses.into_iter().map(|(name, input)| vec![Turn::tool(name, input), Turn::text("done")]).collect()
}

fn add_message(shapes: &mut BTreeSet<String>, message: &Message) -> Result<(), serde_json::Error> {
    let value: Value = serde_json::from_str(message.raw().get())?;
    let kind = value["type"].as_str().unwrap_or_default();
    let name = value["subtype"].as_str().map_or_else(|| kind.to_owned(), |subtype| format!("{kind}/{subtype}"));
    add_shape(shapes, &name, &value);
    Ok(())
}

/// Adds the replies to requests that change nothing.
async fn add_replies(shapes: &mut BTreeSet<String>, session: &Session) {
    let subtypes = [
        "get_context_usage",
        "get_usage",
        "get_settings",
        "get_hooks_listing",
        "list_permission_rules",
        "mcp_status",
        "list_models",
        "get_binary_version",
        "get_session_cost",
        "reload_skills",
        "reload_output_styles",
    ];
    for subtype in subtypes {
        match session.handle().request(subtype, json!({})).await {
            Ok(reply) => add_shape(shapes, &format!("reply {subtype}"), &reply),
            Err(_) => drop(shapes.insert(format!("reply {subtype}: refused"))),
        }
    }
}

/// Adds one line for each field of a value.
fn add_shape(shapes: &mut BTreeSet<String>, path: &str, value: &Value) {
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(values) => return values.iter().for_each(|value| add_shape(shapes, &format!("{path}[]"), value)),
        Value::Object(fields) => {
            return fields.iter().for_each(|(name, value)| add_shape(shapes, &format!("{path}.{}", key(name)), value));
        }
    };
    shapes.insert(format!("{path}: {kind}"));
}

/// Keys that are data, such as paths, ids and names of models, count as one.
fn key(name: &str) -> &str {
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic() || "_$".contains(c))
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "_$".contains(c));
    if is_name { name } else { "*" }
}

/// Adds one line for each field of the input of a tool.
fn add_schema(shapes: &mut BTreeSet<String>, path: &str, schema: &Value) {
    let properties = schema["properties"].as_object().into_iter().flatten();
    for (name, field) in properties {
        let path = format!("{path}.{name}");
        let kind = field.get("type").map_or("any".to_owned(), |kind| kind.to_string().replace('"', ""));
        let is_required = schema["required"].as_array().is_some_and(|required| required.iter().any(|field| field == name));
        shapes.insert(format!("{path}{}: {kind}", if is_required { "" } else { "?" }));
        add_schema(shapes, &path, field);
        add_schema(shapes, &format!("{path}[]"), &field["items"]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_field_has_one_line() {
        let mut shapes = BTreeSet::new();
        add_shape(&mut shapes, "m", &json!({"a": [{"b": 1}, {"b": "x"}], "usage": {"claude-x": null}}));
        add_schema(
            &mut shapes,
            "tool T",
            &json!({"properties": {"list": {"type": "array", "items": {"properties": {"x": {"type": "string"}}}}}, "required": ["list"]}),
        );
        let shapes: Vec<&str> = shapes.iter().map(String::as_str).collect();
        assert_eq!(
            shapes,
            ["m.a[].b: number", "m.a[].b: string", "m.usage.*: null", "tool T.list: array", "tool T.list[].x?: string"]
        );
    }
}
