//! `calc server-json io.github.you/calc`: prints the entry for the MCP registry of a server that is published as a crate.

use mcp_core::Server;
use serde_json::json;

use super::CommandOutput;
use super::manifest::description;
use crate::command_line::{Arguments, UsageError};
use crate::registry::{self, MAX_TEXT};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ServerJson {
    name: String,
    package: Option<String>,
}

impl ServerJson {
    pub(super) fn parse(arguments: &mut Arguments) -> Result<ServerJson, UsageError> {
        let package = arguments.value("--crate")?;
        let name = arguments
            .next_word()
            .ok_or_else(|| UsageError::new("`server-json` needs a name such as io.github.you/your-server"))?;
        match registry::name(&json!(name)) {
            None => Ok(ServerJson { name, package }),
            Some(reason) => Err(UsageError::new(format!("the name in the registry {reason}"))),
        }
    }

    pub(super) fn run(&self, server: &Server) -> CommandOutput {
        let info = server.info();
        let mut entry = json!({
            "$schema": registry::SCHEMA,
            "name": self.name,
            "description": shortened(&description(server)),
            "version": info.version,
            "packages": [{
                "registryType": "cargo",
                "identifier": self.package.as_ref().unwrap_or(&info.name),
                "version": info.version,
                "transport": {"type": "stdio"},
            }],
        });
        if let Some(title) = info.title.as_ref().filter(|title| !title.is_empty()) {
            entry["title"] = json!(title.chars().take(MAX_TEXT).collect::<String>());
        }
        if let Some(address) = &info.website_url {
            entry["websiteUrl"] = json!(address);
        }
        let faults = registry::faults(&entry);
        if !faults.is_empty() {
            let lines: Vec<String> = faults
                .iter()
                .map(|fault| format!("the registry would reject it: `{}` {}", fault.field, fault.reason))
                .collect();
            return CommandOutput::failure(lines.join("\n"), 1);
        }
        let stderr = format!("the registry requires this text in the README of the crate: mcp-name: {}", self.name);
        CommandOutput { stderr, ..CommandOutput::text(format!("{entry:#}")) }
    }
}

fn shortened(text: &str) -> String {
    if text.chars().count() <= MAX_TEXT {
        return text.to_owned();
    }
    text.chars().take(MAX_TEXT - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_description_is_shortened_to_what_the_registry_accepts() {
        assert_eq!(shortened(&"é".repeat(101)).chars().count(), MAX_TEXT);
        assert_eq!(shortened("short"), "short");
    }

    #[test]
    fn a_server_that_the_registry_would_reject_has_no_entry() {
        let command = ServerJson { name: "io.github.you/calc".to_owned(), package: None };
        let server = |version: &str| Server::builder("calc", version).build().unwrap();
        assert_eq!(command.run(&server("1.2.3")).status, 0);
        let refused = command.run(&server("1.x"));
        assert_eq!((refused.status, refused.stdout.as_str()), (1, ""));
        assert!(
            refused.stderr.contains("`version` is `1.x`, which is not a single version such as 1.2.3"),
            "{}",
            refused.stderr
        );
    }
}
