//! `calc docs`: prints the documentation of a server as Markdown.

use mcp_core::Server;
use serde_json::Value;

use super::{help, tool_help, tools};
use crate::local_client;
use crate::schema::fields::{fields, notes};
use crate::schema::shape::shape;
use crate::schema::types::resolved;
use crate::style::Style;

/// Returns the documentation of a server as Markdown: its tools, prompts and resources, with their arguments.
///
/// ```
/// use mcp_core::{Server, tool, tools};
///
/// /// Add two numbers.
/// #[tool]
/// fn add(
///     /// left addend
///     a: i64,
///     b: i64,
/// ) -> i64 {
///     a + b
/// }
///
/// let page = mcp_cli::docs(&Server::builder("calc", "1.0.0").tools(tools![add]).build()?);
/// assert!(page.contains("| `a` | integer | yes | left addend |"));
/// # Ok::<(), mcp_core::BuildError>(())
/// ```
pub fn docs(server: &Server) -> String {
    let info = server.info();
    let mut page = format!("# {} {}\n", info.title.as_ref().unwrap_or(&info.name), info.version);
    for text in [info.description.as_deref(), server.instructions()].into_iter().flatten() {
        page += &format!("\n{text}\n");
    }
    section(&mut page, "Tools", local_client::tools(server).iter().map(tool));
    section(&mut page, "Prompts", local_client::prompts(server).iter().map(prompt));
    let fixed = local_client::resources(server);
    let templates = local_client::resource_templates(server);
    section(&mut page, "Resources", fixed.iter().chain(&templates).map(resource));
    page
}

fn section(page: &mut String, title: &str, entries: impl Iterator<Item = String>) {
    let entries: Vec<String> = entries.collect();
    if !entries.is_empty() {
        *page += &format!("\n## {title}\n\n{}", entries.join("\n"));
    }
}

fn tool(tool: &Value) -> String {
    let mut text = heading(tool, "name");
    let hints = hints(&tool["annotations"]);
    if !hints.is_empty() {
        text += &format!("\n*{}*\n", hints.join(", "));
    }
    text += &table("Argument", &tool["inputSchema"]);
    if let Some(output) = tool.get("outputSchema") {
        text += &table("Result", output);
    }
    let (program, name) = (help::program_name(), tool["name"].as_str().unwrap_or_default());
    text += &match tool_help::example(&program, name, &tool["inputSchema"]) {
        Ok(example) => format!("\n```sh\n{example}\n```\n"),
        Err(why) => format!("\nUsage: `{program} call {}`. Example: {why}\n", tools::synopsis(tool, Style::PLAIN)),
    };
    text
}

fn hints(annotations: &Value) -> Vec<&'static str> {
    let known = [
        ("readOnlyHint", "read-only", None),
        ("destructiveHint", "may be destructive", Some("not destructive")),
        ("idempotentHint", "idempotent", None),
        ("openWorldHint", "interacts with external systems", Some("does not interact with external systems")),
    ];
    let hints = known.into_iter().map(|(key, yes, no)| match annotations[key].as_bool() {
        Some(true) => Some(yes),
        Some(false) => no,
        None => None,
    });
    hints.flatten().collect()
}

fn prompt(prompt: &Value) -> String {
    let mut text = heading(prompt, "name");
    let rows = prompt["arguments"].as_array().into_iter().flatten().map(|argument| {
        let (name, required) = (argument["name"].as_str().unwrap_or_default(), argument["required"] == true);
        row(name, "text", required, argument["description"].as_str().unwrap_or_default())
    });
    text += &rows_under("Argument", rows);
    text
}

fn resource(resource: &Value) -> String {
    let mut text = heading(resource, if resource.get("uri").is_some() { "uri" } else { "uriTemplate" });
    if let Some(kind) = resource["mimeType"].as_str() {
        text += &format!("\n`{kind}`\n");
    }
    text
}

fn heading(entry: &Value, key: &str) -> String {
    let title = entry["title"].as_str().map(|title| format!(": {title}")).unwrap_or_default();
    let description = entry["description"].as_str().unwrap_or_default();
    format!("### `{}`{title}\n\n{description}\n", entry[key].as_str().unwrap_or_default())
}

/// Returns a table of the properties of a schema, in declared order. A list of objects has the properties of its elements.
fn table(header: &str, schema: &Value) -> String {
    let object = resolved(schema, schema);
    if object.get("properties").is_none() && schema.get("properties").is_none() {
        return if header == "Result" { format!("\nResult: `{}`\n", shape(schema, schema)) } else { String::new() };
    }
    let rows = fields(schema)
        .into_iter()
        .map(|field| row(&field.path, &shape(schema, field.schema), field.required, &long_notes(field.schema)));
    rows_under(header, rows)
}

/// Returns the whole description, and the limits and the default.
fn long_notes(schema: &Value) -> String {
    let description = schema["description"].as_str().unwrap_or_default();
    let (first, rest) = description.split_once('\n').unwrap_or((description, ""));
    let notes = notes(schema);
    match notes.strip_prefix(first) {
        Some(facts) if !rest.is_empty() => format!("{description}{facts}"),
        _ => notes,
    }
}

fn rows_under(header: &str, rows: impl Iterator<Item = String>) -> String {
    let rows: Vec<String> = rows.collect();
    if rows.is_empty() {
        String::new()
    } else {
        format!("\n| {header} | Type | Required | |\n|---|---|---|---|\n{}", rows.concat())
    }
}

fn row(name: &str, kind: &str, required: bool, description: &str) -> String {
    let cell = |text: &str| text.replace('|', "\\|").replace('\n', " ");
    format!("| `{name}` | {} | {} | {} |\n", cell(kind), if required { "yes" } else { "no" }, cell(description))
}
