//! `calc server-json io.github.you/calc`: the entry for the MCP registry, of a server that is a crate.

use mcp_core::Server;
use serde_json::json;

use super::Said;
use super::manifest::description;
use super::words::{UsageError, Words};

/// The schema that the registry holds entries against.
const SCHEMA: &str = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";

/// The longest description that the registry takes.
const LONGEST: usize = 100;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ServerJson {
    name: String,
    package: Option<String>,
}

impl ServerJson {
    pub(super) fn parse(words: &mut Words) -> Result<ServerJson, UsageError> {
        let package = words.value("--crate")?;
        let name =
            words.next().ok_or_else(|| UsageError::new("`server-json` needs a name such as io.github.you/your-server"))?;
        if is_name(&name) {
            Ok(ServerJson { name, package })
        } else {
            Err(UsageError::new(format!("`{name}` is no name of the registry: these are like io.github.you/your-server")))
        }
    }

    pub(super) fn run(&self, server: &Server) -> Said {
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
        if let Some(title) = &info.title {
            entry["title"] = json!(title.chars().take(LONGEST).collect::<String>());
        }
        if let Some(address) = &info.website_url {
            entry["websiteUrl"] = json!(address);
        }
        let error = format!("the registry wants to read this in the README of the crate, as text: mcp-name: {}", self.name);
        Said { error, ..Said::text(format!("{entry:#}")) }
    }
}

/// `namespace/name`, of the letters that the registry takes.
fn is_name(name: &str) -> bool {
    let made_of =
        |text: &str, more: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || more.contains(c));
    name.split_once('/').is_some_and(|(namespace, name)| made_of(namespace, ".-") && made_of(name, "._-"))
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
        for (name, good) in
            [("io.github.you/calc", true), ("calc", false), ("/calc", false), ("a/b/c", false), ("a b/c", false)]
        {
            assert_eq!(is_name(name), good, "{name}");
        }
        assert_eq!(shortened(&"é".repeat(101)).chars().count(), LONGEST);
    }
}
