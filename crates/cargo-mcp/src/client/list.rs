//! `cargo mcp list SERVER`: what a server offers.

use mcp_cli::parts::{resolved, shape};
use mcp_client::{Client, Pages, Prompt, Resource, ResourceTemplate, ServerInfo, Tool};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::options::Options;
use super::text::{indented, print};
use super::{failed, harmless};
use crate::Failure;

/// How many objects inside of objects are shown.
const DEEPEST: usize = 3;

/// Everything that a server offers. The fields have the names of the protocol.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Offer {
    tools: Vec<Tool>,
    resources: Vec<Resource>,
    resource_templates: Vec<ResourceTemplate>,
    prompts: Vec<Prompt>,
}

pub(super) async fn run(client: &Client, options: &Options) -> Result<(), Failure> {
    let server = client.server().await.map_err(|error| failed(&error))?;
    let mut faults = Vec::new();
    let can = &server.capabilities;
    let offer = Offer {
        tools: all(can.tools.is_some(), || client.tools(), &mut faults).await,
        resources: all(can.resources.is_some(), || client.resources(), &mut faults).await,
        resource_templates: all(can.resources.is_some(), || client.resource_templates(), &mut faults).await,
        prompts: all(can.prompts.is_some(), || client.prompts(), &mut faults).await,
    };
    if options.json {
        let mut json = json!(offer);
        json["server"] = json!({
            "revision": server.revision.as_str(), "info": server.implementation, "capabilities": can,
            "instructions": server.instructions,
        });
        print(&format!("{json:#}"))?;
    } else {
        print(&page(&server, &offer))?;
    }
    if faults.is_empty() { Ok(()) } else { Err(Failure::new(harmless(&faults.join("\n")))) }
}

/// Returns all items of a list, or none if the server does not have the list.
async fn all<T>(offered: bool, pages: impl FnOnce() -> Pages<T>, faults: &mut Vec<String>) -> Vec<T>
where
    T: DeserializeOwned + Send + Unpin + 'static,
{
    if !offered {
        return Vec::new();
    }
    pages().all().await.unwrap_or_else(|error| {
        faults.push(error.to_string());
        Vec::new()
    })
}

fn page(server: &ServerInfo, offer: &Offer) -> String {
    let mut page = match &server.implementation {
        Some(info) => format!("{} {}, revision {}\n", info.name, info.version, server.revision.as_str()),
        None => format!("a server without a name, revision {}\n", server.revision.as_str()),
    };
    page += &server.instructions.as_deref().map(|text| indented(text, 2)).unwrap_or_default();
    section(&mut page, "Tools", offer.tools.iter().map(tool));
    let resource = |resource: &Resource| {
        entry(&resource.uri, resource.mime_type.as_deref(), resource.title.as_ref(), resource.description.as_ref())
    };
    section(&mut page, "Resources", offer.resources.iter().map(resource));
    let template = |template: &ResourceTemplate| {
        entry(&template.uri_template, template.mime_type.as_deref(), template.title.as_ref(), template.description.as_ref())
    };
    section(&mut page, "Resource templates", offer.resource_templates.iter().map(template));
    section(&mut page, "Prompts", offer.prompts.iter().map(prompt));
    page
}

fn section(page: &mut String, title: &str, entries: impl Iterator<Item = String>) {
    let entries: Vec<String> = entries.collect();
    if !entries.is_empty() {
        *page += &format!("\n{title}\n{}", entries.concat());
    }
}

/// Returns the name of an entry with its type, its title and its description.
fn entry(name: &str, kind: Option<&str>, title: Option<&String>, description: Option<&String>) -> String {
    let kind = kind.map(|kind| format!(" ({kind})")).unwrap_or_default();
    let title = title.filter(|title| *title != name).map(|title| format!(": {title}")).unwrap_or_default();
    format!("  {name}{kind}{title}\n{}", description.map(|text| indented(text, 6)).unwrap_or_default())
}

fn tool(tool: &Tool) -> String {
    let hints = tool.annotations.as_ref();
    let kind = match (hints.and_then(|hints| hints.read_only_hint), hints.and_then(|hints| hints.destructive_hint)) {
        (Some(true), _) => Some("read only"),
        (_, Some(true)) => Some("destructive"),
        _ => None,
    };
    let mut text = entry(&tool.name, kind, tool.title.as_ref(), tool.description.as_ref());
    arguments_of(&mut text, &tool.input_schema, &tool.input_schema, "", DEEPEST);
    text
}

/// Adds the arguments of an object, and those of the objects inside, with their paths.
fn arguments_of(text: &mut String, root: &Value, schema: &Value, path: &str, depth: usize) {
    let schema = resolved(root, schema);
    let required: Vec<&str> = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    for (name, schema) in schema["properties"].as_object().into_iter().flatten() {
        let path = format!("{path}{name}");
        let facts = facts(root, schema, required.contains(&name.as_str()));
        let description = schema["description"].as_str().or(resolved(root, schema)["description"].as_str());
        *text += &argument(&path, &facts, description);
        if depth > 0 {
            arguments_of(text, root, schema, &format!("{path}."), depth - 1);
            if let Some(items) = resolved(root, schema).get("items") {
                arguments_of(text, root, items, &format!("{path}[]."), depth - 1);
            }
        }
    }
}

/// Returns the type of an argument, whether it is required, and its default. Objects have their fields in lines of their own.
fn facts(root: &Value, schema: &Value, required: bool) -> String {
    let resolved_schema = resolved(root, schema);
    let is_object = |schema: &Value| resolved(root, schema).get("properties").is_some();
    let facts = if is_object(resolved_schema) {
        "object".to_owned()
    } else if is_object(&resolved_schema["items"]) {
        "list of objects".to_owned()
    } else {
        shape(root, schema)
    };
    match schema.get("default") {
        Some(default) if !default.is_null() => format!("{facts}, default {default}"),
        _ if required => format!("{facts}, required"),
        _ => facts,
    }
}

fn argument(name: &str, facts: &str, description: Option<&str>) -> String {
    let description = description.map(|text| format!(": {}", text.replace('\n', " "))).unwrap_or_default();
    format!("        {name} ({facts}){description}\n")
}

fn prompt(prompt: &Prompt) -> String {
    let mut text = entry(&prompt.name, None, prompt.title.as_ref(), prompt.description.as_ref());
    for one in &prompt.arguments {
        text += &argument(&one.name, if one.required { "required" } else { "optional" }, one.description.as_deref());
    }
    text
}
