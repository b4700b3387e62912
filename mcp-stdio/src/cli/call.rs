//! `calc call add a=2 b=3`: a tool without a client.

use std::sync::Arc;

use mcp_core::Server;
use serde_json::{Value, json};

use super::arguments::arguments;
use super::bar::Bar;
use super::nearest::nearest;
use super::probe::{self, Probe};
use super::words::{UsageError, Words};
use super::{MISUSE, Said};
use crate::error::Error;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Call {
    tool: String,
    words: Vec<String>,
    json: bool,
}

impl Call {
    pub(super) fn parse(words: &mut Words) -> Result<Call, UsageError> {
        let json = words.flag("--json");
        let tool = words.next().ok_or_else(|| UsageError::new("`call` needs the name of a tool"))?;
        let mut given: Vec<String> = std::iter::from_fn(|| words.next()).collect();
        given.extend(words.rest());
        Ok(Call { tool, words: given, json })
    }

    /// The status is 0 when the tool did what it was asked for, 1 when it failed, 2 when it could not be called.
    pub(super) fn run(&self, server: &Server) -> Result<Said, Error> {
        let tools = probe::tools(server);
        let arguments = find(&tools, &self.tool).and_then(|tool| arguments(&tool["inputSchema"], &self.words));
        let arguments = match arguments {
            Ok(arguments) => arguments,
            Err(complaint) => return Ok(Said::failure(complaint, MISUSE)),
        };
        let bar = Arc::new(Bar::default());
        let probe = Probe::new(server, bar.clone())?;
        let params = json!({"name": self.tool, "arguments": arguments, "_meta": {"progressToken": 1}});
        let outcome = probe.request("tools/call", &params);
        probe.end();
        bar.clear();
        Ok(match outcome {
            Ok(result) => self.show(&result),
            Err(error) => Said::failure(error, 1),
        })
    }

    fn show(&self, result: &Value) -> Said {
        let failed = result["isError"] == true;
        let text = if self.json { format!("{result:#}") } else { text_of(result) };
        let status = u8::from(failed);
        if failed && !self.json { Said::failure(text, status) } else { Said { status, ..Said::text(text) } }
    }
}

/// The tool of that name, or what to say if there is none.
pub(super) fn find<'a>(tools: &'a [Value], name: &str) -> Result<&'a Value, String> {
    tools.iter().find(|tool| tool["name"] == name).ok_or_else(|| {
        let names: Vec<&str> = tools.iter().filter_map(|tool| tool["name"].as_str()).collect();
        match nearest(name, names.iter().copied()) {
            Some(near) => format!("there is no tool `{name}`; did you mean `{near}`?"),
            None => format!("there is no tool `{name}`; there are: {}", names.join(", ")),
        }
    })
}

/// What a person wants to read of a result.
fn text_of(result: &Value) -> String {
    let content = result["content"].as_array().map(Vec::as_slice).unwrap_or_default();
    content.iter().map(text_of_item).collect::<Vec<_>>().join("\n")
}

fn text_of_item(item: &Value) -> String {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    match item["type"].as_str() {
        Some("text") => text(&item["text"]),
        // A terminal can do nothing with these; `--json` has them whole.
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
