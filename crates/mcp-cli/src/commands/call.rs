//! `calc call add a=2 b=3`: calls a tool and prints its result.

use std::io;
use std::sync::Arc;

use mcp_core::Server;
use serde_json::{Value, json};

use super::CommandOutput;
use crate::USAGE_STATUS;
use crate::call_arguments::call_arguments;
use crate::command_line::{Arguments, UsageError};
use crate::local_client::{self, LocalClient};
use crate::progress_bar::ProgressBar;
use crate::suggestion::nearest;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Call {
    tool: String,
    words: Vec<String>,
    json: bool,
}

impl Call {
    pub(super) fn parse(arguments: &mut Arguments) -> Result<Call, UsageError> {
        let json = arguments.flag("--json");
        let tool = arguments.next().ok_or_else(|| UsageError::new("`call` needs the name of a tool"))?;
        let mut given: Vec<String> = std::iter::from_fn(|| arguments.next()).collect();
        given.extend(arguments.rest());
        Ok(Call { tool, words: given, json })
    }

    /// The exit status is 0 if the tool succeeded, 1 if it failed, and 2 if the tool name or the arguments are invalid.
    pub(super) fn run(&self, server: &Server) -> io::Result<CommandOutput> {
        let tools = local_client::tools(server);
        let arguments = find(&tools, &self.tool).and_then(|tool| call_arguments(&tool["inputSchema"], &self.words));
        let arguments = match arguments {
            Ok(arguments) => arguments,
            Err(error) => return Ok(CommandOutput::failure(error, USAGE_STATUS)),
        };
        let bar = Arc::new(ProgressBar::default());
        let client = LocalClient::new(server, bar.clone())?;
        let params = json!({"name": self.tool, "arguments": arguments, "_meta": {"progressToken": 1}});
        let outcome = client.request("tools/call", &params);
        client.shut_down();
        bar.clear();
        Ok(match outcome {
            Ok(result) => self.show(&result),
            Err(error) => CommandOutput::failure(error, 1),
        })
    }

    fn show(&self, result: &Value) -> CommandOutput {
        let failed = result["isError"] == true;
        let text = if self.json { format!("{result:#}") } else { text_of(result) };
        let status = u8::from(failed);
        if failed && !self.json {
            CommandOutput::failure(text, status)
        } else {
            CommandOutput { status, ..CommandOutput::text(text) }
        }
    }
}

/// Returns the tool of that name. The error suggests a similar name or lists all tools.
pub(super) fn find<'a>(tools: &'a [Value], name: &str) -> Result<&'a Value, String> {
    tools.iter().find(|tool| tool["name"] == name).ok_or_else(|| {
        let names: Vec<&str> = tools.iter().filter_map(|tool| tool["name"].as_str()).collect();
        match nearest(name, names.iter().copied()) {
            Some(near) => format!("unknown tool `{name}`; did you mean `{near}`?"),
            None => format!("unknown tool `{name}`; the tools are: {}", names.join(", ")),
        }
    })
}

/// Returns the content of a result as text for people.
fn text_of(result: &Value) -> String {
    let content = result["content"].as_array().map(Vec::as_slice).unwrap_or_default();
    content.iter().map(text_of_item).collect::<Vec<_>>().join("\n")
}

fn text_of_item(item: &Value) -> String {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    match item["type"].as_str() {
        Some("text") => text(&item["text"]),
        // A terminal cannot show these; `--json` prints the data.
        Some(kind @ ("image" | "audio")) => {
            format!("[{kind}: {}, {} bytes]", text(&item["mimeType"]), text(&item["data"]).len() / 4 * 3)
        }
        Some("resource_link") => format!("[{}]", text(&item["uri"])),
        Some("resource") => {
            item["resource"]["text"].as_str().map_or_else(|| format!("[{}]", text(&item["resource"]["uri"])), str::to_owned)
        }
        _ => item.to_string(),
    }
}
