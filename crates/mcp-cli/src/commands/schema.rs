//! `calc schema`: prints the input and output schemas of the tools.

use mcp_core::Server;
use serde_json::{Map, Value, json};

use super::{CommandOutput, call};
use crate::command_line::Arguments;
use crate::{USAGE_STATUS, local_client};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Schema {
    tool: Option<String>,
}

impl Schema {
    pub(super) fn parse(arguments: &mut Arguments) -> Schema {
        Schema { tool: arguments.next_word() }
    }

    /// Prints the schemas of one tool, or an object with the schemas of all tools by name.
    pub(super) fn run(&self, server: &Server) -> CommandOutput {
        let tools = local_client::tools(server);
        let Some(name) = &self.tool else {
            let all = tools.iter().map(|tool| (tool["name"].as_str().unwrap_or_default().to_owned(), schemas(tool)));
            return CommandOutput::text(format!("{:#}", Value::Object(all.collect::<Map<_, _>>())));
        };
        match call::find(&tools, name) {
            Ok(tool) => CommandOutput::text(format!("{:#}", schemas(tool))),
            Err(error) => CommandOutput::failure(error, USAGE_STATUS),
        }
    }
}

fn schemas(tool: &Value) -> Value {
    let mut schemas = json!({"input": tool["inputSchema"]});
    if let Some(output) = tool.get("outputSchema") {
        schemas["output"] = output.clone();
    }
    schemas
}
