//! `calc manifest`: prints the manifest of an MCPB bundle with this binary.

use std::path::Path;

use mcp_core::Server;
use serde_json::{Value, json};

use super::{CommandOutput, install};
use crate::command_line::{Arguments, UsageError};
use crate::local_client;

/// The version of the manifest format.
const FORMAT: &str = "0.3";

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Manifest {
    author: Option<String>,
    program: Option<String>,
}

impl Manifest {
    pub(super) fn parse(arguments: &mut Arguments) -> Result<Manifest, UsageError> {
        Ok(Manifest { author: arguments.value("--author")?, program: arguments.value("--program")? })
    }

    pub(super) fn run(&self, server: &Server) -> CommandOutput {
        let mut output = CommandOutput::text(format!("{:#}", self.value(server)));
        if self.author.is_none() {
            output.stderr = format!("without --author, the author in the manifest is `{}`", server.info().name);
        }
        output
    }

    fn value(&self, server: &Server) -> Value {
        let info = server.info();
        let program = self.program.clone().unwrap_or_else(|| format!("server/{}", file_name(&install::program())));
        let tools: Vec<Value> = local_client::tools(server)
            .iter()
            .map(|tool| json!({"name": tool["name"], "description": tool["description"]}))
            .collect();
        let mut manifest = json!({
            "manifest_version": FORMAT,
            "name": info.name,
            "version": info.version,
            "description": description(server),
            "author": {"name": self.author.as_ref().unwrap_or(&info.name)},
            "server": {
                "type": "binary",
                "entry_point": program,
                "mcp_config": {"command": format!("${{__dirname}}/{program}"), "args": [], "env": {}},
            },
            "tools": tools,
            "compatibility": {"platforms": [platform()]},
        });
        if let Some(title) = &info.title {
            manifest["display_name"] = json!(title);
        }
        if let Some(address) = &info.website_url {
            manifest["homepage"] = json!(address);
        }
        // The manifest format has fixed texts of prompts. Ours are generated for each request, which this flag says.
        if server.prompts().len() > 0 {
            manifest["prompts_generated"] = json!(true);
        }
        manifest
    }
}

/// Returns a description of the server in one line: the first line of its own description or instructions, else its tools.
pub(super) fn description(server: &Server) -> String {
    let text = server.info().description.as_deref().or(server.instructions());
    if let Some(line) = text.and_then(|text| text.lines().find(|line| !line.trim().is_empty())) {
        return line.trim().to_owned();
    }
    let names: Vec<&str> = server.tools().map(|tool| tool.name()).collect();
    if names.is_empty() { format!("The MCP server {}", server.info().name) } else { format!("Tools: {}", names.join(", ")) }
}

fn file_name(program: &str) -> String {
    Path::new(program).file_name().map_or_else(|| program.to_owned(), |name| name.to_string_lossy().into_owned())
}

/// Returns the name of this platform in Node.js, which the manifest format uses.
fn platform() -> &'static str {
    match std::env::consts::OS {
        "macos" => "darwin",
        "windows" => "win32",
        other => other,
    }
}
