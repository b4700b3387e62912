//! `server.json`: the entry for the MCP registry.

use mcp_cli::parts::registry::{self, Fault};
use serde_json::{Value, json};

use super::bundle::Bundle;
use super::project::{Project, Variable};

/// Returns the entry of this release: a package for each bundle, the crate, and the remotes.
pub(super) fn entry(project: &Project, bundles: &[Bundle]) -> Value {
    let package = &project.package;
    let variables: Vec<Value> = project.config.env.iter().map(|(name, one)| variable(name, one)).collect();
    let finished = |mut entry: Value| {
        entry["transport"] = json!({"type": "stdio"});
        if !variables.is_empty() {
            entry["environmentVariables"] = json!(variables);
        }
        entry
    };
    let mut packages: Vec<Value> = Vec::new();
    for bundle in bundles {
        packages.push(finished(json!({
            "registryType": "mcpb",
            "identifier": project.download(&bundle.file),
            "version": package.version,
            "fileSha256": bundle.sha256,
        })));
    }
    if project.is_on_crates_io() {
        packages.push(finished(json!({"registryType": "cargo", "identifier": package.name, "version": package.version})));
    }
    let mut entry = json!({
        "$schema": registry::SCHEMA,
        "name": project.registry_name(),
        "description": package.description,
        "version": package.version,
        "packages": packages,
    });
    for (key, value) in [("title", &project.config.title), ("websiteUrl", &package.homepage)] {
        if let Some(value) = value {
            entry[key] = json!(value);
        }
    }
    // The registry knows these two hosts only.
    for (source, host) in [("github", "https://github.com/"), ("gitlab", "https://gitlab.com/")] {
        if let Some(url) = project.repository().filter(|url| url.starts_with(host)) {
            entry["repository"] = json!({"url": url, "source": source});
        }
    }
    if !project.config.remotes.is_empty() {
        entry["remotes"] =
            project.config.remotes.iter().map(|remote| json!({"type": remote.kind, "url": remote.url})).collect();
    }
    entry
}

fn variable(name: &str, variable: &Variable) -> Value {
    let mut entry = json!({
        "name": name,
        "description": variable.description,
        "isRequired": variable.required,
        "isSecret": variable.secret,
    });
    if let Some(default) = &variable.default {
        entry["default"] = json!(default);
    }
    entry
}

/// Returns what the registry would reject, with the place to change it.
pub(super) fn faults(entry: &Value) -> Vec<String> {
    registry::faults(entry).into_iter().map(|Fault { field, reason }| format!("{} {reason}", place(field))).collect()
}

/// Returns where a user sets a field of the entry.
fn place(field: &str) -> &'static str {
    match field {
        "name" => "the name (set `name` in [package.metadata.mcp], or `repository` in [package])",
        "title" => "`title` in [package.metadata.mcp]",
        "description" => "`description` in [package]",
        "version" => "`version` in [package]",
        "websiteUrl" => "`homepage` in [package]",
        "repository" => "`repository` in [package]",
        "remotes" => "the remotes in [package.metadata.mcp]",
        _ => {
            "the packages (their addresses begin with `repository` in [package], or are `download` in [package.metadata.mcp])"
        }
    }
}
