//! `calc tools`: lists the tools with their arguments.

use mcp_core::Server;
use mcp_core::protocol::Revision;
use serde_json::{Map, Value};

use super::CommandOutput;
use crate::command_line::Arguments;
use crate::{local_client, schema_types};

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
        CommandOutput::text(list(server))
    }
}

/// Returns one paragraph for each tool: its arguments and its description.
pub(super) fn list(server: &Server) -> String {
    local_client::tools(server).iter().map(describe).collect::<Vec<_>>().join("\n")
}

fn describe(tool: &Value) -> String {
    let description = tool["description"].as_str().unwrap_or_default().replace('\n', "\n    ");
    format!("{}\n    {description}", synopsis(tool))
}

/// Returns how the tool is called, such as `add a=INTEGER [b=INTEGER]`: required arguments first, optional ones in brackets.
pub(super) fn synopsis(tool: &Value) -> String {
    let schema = &tool["inputSchema"];
    let empty = Map::new();
    let properties = schema["properties"].as_object().unwrap_or(&empty);
    let is_required = |name: &str| schema["required"].as_array().is_some_and(|names| names.iter().any(|one| one == name));
    let (mut required, mut optional) = (String::new(), String::new());
    for (name, property) in properties {
        let kind = schema_types::types(schema, property).first().map_or("json", String::as_str).to_uppercase();
        if is_required(name) {
            required += &format!(" {name}={kind}");
        } else {
            optional += &format!(" [{name}={kind}]");
        }
    }
    format!("{}{required}{optional}", tool["name"].as_str().unwrap_or_default())
}
