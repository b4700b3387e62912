//! `calc call add a=2 b=3`: calls a tool and prints its result.

use std::io;
use std::sync::Arc;

use mcp_core::Server;
use serde_json::{Value, json};

use super::{CommandOutput, tool_help};
use crate::USAGE_STATUS;
use crate::call_arguments::call_arguments;
use crate::command_line::{Arguments, UsageError};
use crate::content;
use crate::local_client::{self, LocalClient};
use crate::progress_bar::ProgressBar;
use crate::style::Style;
use crate::suggestion::nearest;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Call {
    tool: String,
    words: Vec<String>,
    json: bool,
    help: bool,
    output: Option<String>,
}

impl Call {
    pub(super) fn parse(arguments: &mut Arguments) -> Result<Call, UsageError> {
        let (json, output, help) = (arguments.flag("--json"), arguments.value("--output")?, arguments.help());
        let tool = arguments.next_word().ok_or_else(|| UsageError::new("`call` needs the name of a tool"))?;
        arguments.refuse_dashes()?;
        let mut words: Vec<String> = std::iter::from_fn(|| arguments.next_word()).collect();
        words.extend(arguments.rest());
        Ok(Call { tool, words, json, help, output })
    }

    /// Calls the tool. The exit status is 0 if the tool succeeded, 1 if it failed, and 2 if the tool name or the arguments are invalid.
    pub(super) fn run(&self, server: &Server) -> io::Result<CommandOutput> {
        let tools = local_client::tools(server);
        let tool = match find(&tools, &self.tool) {
            Ok(tool) => tool,
            Err(error) => return Ok(CommandOutput::failure(error, USAGE_STATUS)),
        };
        if self.help {
            return Ok(CommandOutput::text(tool_help::text(tool, Style::stdout())));
        }
        let arguments = match call_arguments(&tool["inputSchema"], &self.words) {
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
        let status = u8::from(failed);
        if self.json {
            return CommandOutput { status, ..CommandOutput::text(format!("{result:#}")) };
        }
        let content = result["content"].as_array().map(Vec::as_slice).unwrap_or_default();
        match &self.output {
            _ if failed => CommandOutput::failure(content::text_of(content), status),
            Some(path) => CommandOutput::saved(content::save(content, path)),
            None => CommandOutput::text(content::text_of(content)),
        }
    }
}

/// Returns the tool of that name. The error suggests a similar name or lists all tools.
pub(super) fn find<'a>(tools: &'a [Value], name: &str) -> Result<&'a Value, String> {
    find_by(tools, "tool", "name", name)
}

/// Returns the entry whose `key` is `name`. The error suggests a similar name or lists all names.
pub(super) fn find_by<'a>(entries: &'a [Value], kind: &str, key: &str, name: &str) -> Result<&'a Value, String> {
    entries.iter().find(|entry| entry[key] == name).ok_or_else(|| {
        let names: Vec<&str> = entries.iter().filter_map(|entry| entry[key].as_str()).collect();
        match nearest(name, names.iter().copied()) {
            Some(near) => format!("unknown {kind} `{name}`; did you mean `{near}`?"),
            None if names.is_empty() => format!("unknown {kind} `{name}`: this server has no {kind}s"),
            None => format!("unknown {kind} `{name}`; the {kind}s are: {}", names.join(", ")),
        }
    })
}
