//! `calc tools`: lists the tools with their arguments.

use mcp_core::Server;
use mcp_core::protocol::Revision;
use serde_json::Value;

use super::{CommandOutput, tool_help};
use crate::command_line::Arguments;
use crate::local_client;
use crate::schema::properties;
use crate::schema::shape::placeholder;
use crate::style::Style;

/// The maximum length of the line that shows how a tool is called. Longer ones show only the names of the arguments.
const MAX_SYNOPSIS: usize = 100;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tools {
    json: bool,
}

impl Tools {
    pub(super) fn parse(arguments: &mut Arguments) -> Tools {
        Tools { json: arguments.flag("--json") }
    }

    pub(super) fn run(&self, server: &Server) -> CommandOutput {
        if self.json {
            return CommandOutput::text(format!("{:#}", server.tools_list_result(Revision::NEWEST_HANDSHAKE)));
        }
        let tools = local_client::tools(server);
        if tools.is_empty() {
            return CommandOutput::none("tools");
        }
        let style = Style::stdout();
        CommandOutput::text(tools.iter().map(|tool| described(tool, style)).collect::<Vec<_>>().join("\n"))
    }
}

/// Returns one paragraph for each tool: how it is called, and its description.
pub(super) fn list(server: &Server, style: Style) -> String {
    local_client::tools(server).iter().map(|tool| paragraph(tool, style)).collect::<Vec<_>>().join("\n")
}

fn paragraph(tool: &Value, style: Style) -> String {
    let lines = tool["description"].as_str().unwrap_or_default().lines();
    let description: Vec<String> = lines.map(|line| format!("    {line}").trim_end().to_owned()).collect();
    format!("{}\n{}", synopsis(tool, style), description.join("\n"))
}

/// Returns the paragraph of a tool, with a line for each argument if there is more to say than in the first line.
fn described(tool: &Value, style: Style) -> String {
    let schema = &tool["inputSchema"];
    let has_more = is_long(tool)
        || properties(schema)
            .iter()
            .any(|(_, property, _)| property.get("description").is_some() || property.get("default").is_some());
    let mut text = paragraph(tool, style);
    if has_more {
        text += "\n";
        text += tool_help::argument_rows(schema, style, "      ").trim_end_matches('\n');
    }
    text
}

/// Returns how the tool is called, such as `add a=INTEGER [b=INTEGER]`: required arguments first, optional ones in brackets.
pub(super) fn synopsis(tool: &Value, style: Style) -> String {
    let name = tool["name"].as_str().unwrap_or_default();
    format!("{}{}", style.bold(name), arguments(tool, !is_long(tool)))
}

fn is_long(tool: &Value) -> bool {
    tool["name"].as_str().unwrap_or_default().len() + arguments(tool, true).len() > MAX_SYNOPSIS
}

/// Returns the arguments with their shapes, or only their names.
fn arguments(tool: &Value, with_shapes: bool) -> String {
    let schema = &tool["inputSchema"];
    let (mut required, mut optional) = (String::new(), String::new());
    for (name, property, is_required) in properties(schema) {
        let shape = if with_shapes { placeholder(schema, property) } else { "..".to_owned() };
        match is_required {
            true => required += &format!(" {name}={shape}"),
            false => optional += &format!(" [{name}={shape}]"),
        }
    }
    required + &optional
}
