//! `calc manifest`: what makes an MCPB bundle of the binary.

use std::path::Path;

use mcp_core::Server;
use serde_json::{Value, json};

use super::{CommandOutput, install};
use crate::command_line::{Arguments, UsageError};
use crate::local_client;

/// The version of the manifest's own format.
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
            output.stderr = format!("no --author given: the manifest names `{}` as its author", server.info().name);
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
        // Their text is made when they are asked for, so it cannot stand here.
        if server.prompts().len() > 0 {
            manifest["prompts_generated"] = json!(true);
        }
        manifest
    }
}

/// What a server is, in a sentence that is always there.
pub(super) fn description(server: &Server) -> String {
    let said = server.info().description.as_deref().or(server.instructions());
    if let Some(line) = said.and_then(|text| text.lines().find(|line| !line.trim().is_empty())) {
        return line.trim().to_owned();
    }
    let names: Vec<&str> = server.tools().map(|tool| tool.name()).collect();
    if names.is_empty() { format!("The MCP server {}", server.info().name) } else { format!("Tools: {}", names.join(", ")) }
}

fn file_name(program: &str) -> String {
    Path::new(program).file_name().map_or_else(|| program.to_owned(), |name| name.to_string_lossy().into_owned())
}

/// This platform, as Node.js calls it.
fn platform() -> &'static str {
    match std::env::consts::OS {
        "macos" => "darwin",
        "windows" => "win32",
        other => other,
    }
}
