//! `calc server-json io.github.you/calc`: the entry for the MCP registry, of a server that is a crate.

use mcp_core::Server;
use serde_json::json;

use super::CommandOutput;
use super::manifest::description;
use crate::command_line::{Arguments, UsageError};

/// The schema that the registry holds entries against.
const SCHEMA: &str = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";

/// The longest title and description by that schema.
const LONGEST: usize = 100;

/// The longest name by that schema.
const LONGEST_NAME: usize = 200;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ServerJson {
    name: String,
    package: Option<String>,
}

impl ServerJson {
    pub(super) fn parse(arguments: &mut Arguments) -> Result<ServerJson, UsageError> {
        let package = arguments.value("--crate")?;
        let name = arguments
            .next()
            .ok_or_else(|| UsageError::new("`server-json` needs a name such as io.github.you/your-server"))?;
        if is_name(&name) {
            Ok(ServerJson { name, package })
        } else {
            Err(UsageError::new(format!("`{name}` is no name of the registry: these are like io.github.you/your-server")))
        }
    }

    pub(super) fn run(&self, server: &Server) -> CommandOutput {
        let info = server.info();
        let mut entry = json!({
            "$schema": SCHEMA,
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
            entry["title"] = json!(title.chars().take(LONGEST).collect::<String>());
        }
        if let Some(address) = &info.website_url {
            entry["websiteUrl"] = json!(address);
        }
        let stderr = format!("the registry wants to read this in the README of the crate, as text: mcp-name: {}", self.name);
        CommandOutput { stderr, ..CommandOutput::text(format!("{entry:#}")) }
    }
}

/// `namespace/name`, of the letters that the registry takes: its schema says which, its validators that none but letters and
/// digits begin or end a part.
fn is_name(name: &str) -> bool {
    let made_of = |text: &str, more: &str| {
        let ends_well = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
        ends_well(text.chars().next())
            && ends_well(text.chars().next_back())
            && text.chars().all(|c| c.is_ascii_alphanumeric() || more.contains(c))
    };
    name.len() <= LONGEST_NAME
        && name.split_once('/').is_some_and(|(namespace, name)| made_of(namespace, ".-") && made_of(name, "._-"))
}

fn shortened(text: &str) -> String {
    if text.chars().count() <= LONGEST {
        return text.to_owned();
    }
    text.chars().take(LONGEST - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_as_the_registry_wants_them() {
        let long = format!("io.github.you/{}", "x".repeat(LONGEST_NAME));
        for good in ["io.github.you/calc", "a/b", "com.example/my_calc-2.x", &long[..LONGEST_NAME]] {
            assert!(is_name(good), "{good}");
        }
        for bad in ["calc", "/calc", "a/", "a/b/c", "a b/c", "a_b/c", "io.github.you/-calc", "io.github./calc", &long] {
            assert!(!is_name(bad), "{bad}");
        }
        assert_eq!(shortened(&"é".repeat(101)).chars().count(), LONGEST);
    }
}
