//! `calc server-json io.github.you/calc`: prints the entry for the MCP registry of a server that is published as a crate.

use mcp_core::Server;
use serde_json::json;

use super::CommandOutput;
use super::manifest::description;
use crate::command_line::{Arguments, UsageError};

/// The schema that the registry validates entries with.
const SCHEMA: &str = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";

/// The maximum length of a title and a description in that schema.
const MAX_TEXT: usize = 100;

/// The maximum length of a name in that schema.
const MAX_NAME: usize = 200;

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
        if is_name(&name) {
            Ok(ServerJson { name, package })
        } else {
            Err(UsageError::new(format!(
                "`{name}` is not a valid registry name; use a name such as io.github.you/your-server"
            )))
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
            entry["title"] = json!(title.chars().take(MAX_TEXT).collect::<String>());
        }
        if let Some(address) = &info.website_url {
            entry["websiteUrl"] = json!(address);
        }
        let stderr = format!("the registry requires this text in the README of the crate: mcp-name: {}", self.name);
        CommandOutput { stderr, ..CommandOutput::text(format!("{entry:#}")) }
    }
}

/// Returns whether the registry accepts a name `namespace/name`.
///
/// The allowed characters are from its schema. That each part starts and ends with a letter or digit is from its validators.
fn is_name(name: &str) -> bool {
    let is_valid = |text: &str, punctuation: &str| {
        let is_alphanumeric = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
        is_alphanumeric(text.chars().next())
            && is_alphanumeric(text.chars().next_back())
            && text.chars().all(|c| c.is_ascii_alphanumeric() || punctuation.contains(c))
    };
    name.len() <= MAX_NAME
        && name.split_once('/').is_some_and(|(namespace, name)| is_valid(namespace, ".-") && is_valid(name, "._-"))
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
    fn only_names_that_the_registry_accepts_are_valid() {
        let long = format!("io.github.you/{}", "x".repeat(MAX_NAME));
        for good in ["io.github.you/calc", "a/b", "com.example/my_calc-2.x", &long[..MAX_NAME]] {
            assert!(is_name(good), "{good}");
        }
        for bad in ["calc", "/calc", "a/", "a/b/c", "a b/c", "a_b/c", "io.github.you/-calc", "io.github./calc", &long] {
            assert!(!is_name(bad), "{bad}");
        }
        assert_eq!(shortened(&"é".repeat(101)).chars().count(), MAX_TEXT);
    }
}
