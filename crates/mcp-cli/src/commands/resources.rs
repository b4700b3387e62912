//! `calc resources`: lists the resources and the resource templates. `calc read URI`: prints the contents of one.

use std::io;
use std::sync::Arc;

use mcp_core::Server;
use serde_json::{Value, json};

use super::CommandOutput;
use crate::command_line::{Arguments, UsageError};
use crate::content;
use crate::local_client::{self, LocalClient};
use crate::progress_bar::ProgressBar;
use crate::style::Style;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Resources {
    json: bool,
}

impl Resources {
    pub(super) fn parse(arguments: &mut Arguments) -> Resources {
        Resources { json: arguments.flag("--json") }
    }

    pub(super) fn run(&self, server: &Server) -> CommandOutput {
        let (fixed, templates) = (local_client::resources(server), local_client::resource_templates(server));
        if self.json {
            return CommandOutput::text(format!("{:#}", json!({"resources": fixed, "resourceTemplates": templates})));
        }
        if fixed.is_empty() && templates.is_empty() {
            return CommandOutput::none("resources");
        }
        let style = Style::stdout();
        let all = fixed.iter().map(|entry| (entry, "uri")).chain(templates.iter().map(|entry| (entry, "uriTemplate")));
        CommandOutput::text(all.map(|(entry, key)| described(entry, key, style)).collect::<Vec<_>>().join("\n"))
    }
}

fn described(entry: &Value, key: &str, style: Style) -> String {
    let mut text = style.bold(entry[key].as_str().unwrap_or_default());
    if let Some(kind) = entry["mimeType"].as_str() {
        text += &style.dim(&format!("  {kind}"));
    }
    let about = entry["description"].as_str().or_else(|| entry["title"].as_str()).or_else(|| entry["name"].as_str());
    text + "\n    " + &about.unwrap_or_default().replace('\n', "\n    ")
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Read {
    uri: String,
    json: bool,
    output: Option<String>,
}

impl Read {
    pub(super) fn parse(arguments: &mut Arguments) -> Result<Read, UsageError> {
        let (json, output) = (arguments.flag("--json"), arguments.value("--output")?);
        let uri = arguments.next_word().ok_or_else(|| UsageError::new("`read` needs the URI of a resource"))?;
        Ok(Read { uri, json, output })
    }

    pub(super) fn run(&self, server: &Server) -> io::Result<CommandOutput> {
        let bar = Arc::new(ProgressBar::default());
        let client = LocalClient::new(server, bar.clone())?;
        let outcome = client.request("resources/read", &json!({"uri": self.uri, "_meta": {"progressToken": 1}}));
        client.shut_down();
        bar.clear();
        let result = match outcome {
            Ok(result) => result,
            Err(error) => return Ok(CommandOutput::failure(self.explain(server, error), 1)),
        };
        let contents = result["contents"].as_array().map(Vec::as_slice).unwrap_or_default();
        Ok(match &self.output {
            _ if self.json => CommandOutput::text(format!("{result:#}")),
            Some(path) => CommandOutput::saved(save(contents, path)),
            None => CommandOutput::text(contents.iter().map(content::text_of_resource).collect::<Vec<_>>().join("\n")),
        })
    }

    /// Adds the known URIs to an error, if the server lists some.
    fn explain(&self, server: &Server, error: String) -> String {
        let known: Vec<Value> =
            local_client::resources(server).into_iter().chain(local_client::resource_templates(server)).collect();
        let uris: Vec<&str> =
            known.iter().filter_map(|entry| entry["uri"].as_str().or_else(|| entry["uriTemplate"].as_str())).collect();
        if uris.is_empty() || uris.contains(&self.uri.as_str()) {
            return error;
        }
        format!("{error}; the resources are: {}", uris.join(", "))
    }
}

/// Saves the contents of a resource to a file, as the contents of a tool result are saved.
fn save(contents: &[Value], path: &str) -> Result<String, String> {
    let contents: Vec<Value> = contents.iter().map(|one| json!({"type": "resource", "resource": one})).collect();
    content::save(&contents, path)
}
