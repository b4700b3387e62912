//! `calc schema`: what the tools take and give, as JSON Schema.

use mcp_core::Server;
use serde_json::{Map, Value, json};

use super::words::Words;
use super::{MISUSE, Said, call, probe};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Schema {
    tool: Option<String>,
}

impl Schema {
    pub(super) fn parse(words: &mut Words) -> Schema {
        Schema { tool: words.next() }
    }

    /// The schemas of all tools by their names, or of the one that is named.
    pub(super) fn run(&self, server: &Server) -> Said {
        let tools = probe::tools(server);
        let Some(name) = &self.tool else {
            let all = tools.iter().map(|tool| (tool["name"].as_str().unwrap_or_default().to_owned(), schemas(tool)));
            return Said::text(format!("{:#}", Value::Object(all.collect::<Map<_, _>>())));
        };
        match call::find(&tools, name) {
            Ok(tool) => Said::text(format!("{:#}", schemas(tool))),
            Err(complaint) => Said::failure(complaint, MISUSE),
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
