//! `server.json`: the entry for the MCP registry.

use serde_json::{Value, json};

use super::bundle::Bundle;
use super::project::{Project, Variable};

/// The schema that the registry validates entries with.
const SCHEMA: &str = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";

/// The maximum length of a title and a description in that schema.
const MAX_TEXT: usize = 100;

/// The maximum length of a name in that schema.
const MAX_NAME: usize = 200;

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
        "$schema": SCHEMA,
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
    if let Some(url) = project.repository() {
        let source = if url.starts_with("https://gitlab.com/") { "gitlab" } else { "github" };
        entry["repository"] = json!({"url": url, "source": source});
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

/// Returns what the registry would reject, by the rules of its schema and of its validators, with the fix.
pub(super) fn faults(entry: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    let mut check = |fine: bool, fault: &str| {
        if !fine {
            faults.push(fault.to_owned());
        }
    };
    let length = |value: &Value| value.as_str().map_or(0, |text| text.chars().count());
    check(
        entry["name"].as_str().is_some_and(is_name),
        "it needs a name such as io.github.you/my-server: set `name` in [package.metadata.mcp], or `repository` in [package]",
    );
    check(
        (1..=MAX_TEXT).contains(&length(&entry["description"])),
        "`description` in [package] must have 1 to 100 characters",
    );
    check(
        entry.get("title").is_none_or(|title| (1..=MAX_TEXT).contains(&length(title))),
        "`title` must have 1 to 100 characters",
    );
    let is_https = |value: &Value| value.as_str().is_some_and(|url| url.starts_with("https://"));
    check(entry.get("websiteUrl").is_none_or(is_https), "`homepage` in [package] must begin with https://");
    for package in entry["packages"].as_array().into_iter().flatten().filter(|package| package["registryType"] == "mcpb") {
        check(
            is_https(&package["identifier"]),
            "bundles need an address: set `repository` in [package] to an address that begins with https://",
        );
    }
    for remote in entry["remotes"].as_array().into_iter().flatten() {
        check(is_https(&remote["url"]), "the `url` of a remote must begin with https://");
        check(
            remote["type"] == "streamable-http" || remote["type"] == "sse",
            "the `type` of a remote must be streamable-http or sse",
        );
    }
    let has_any = |key: &str| entry[key].as_array().is_some_and(|all| !all.is_empty());
    check(has_any("packages") || has_any("remotes"), "it has no package and no remote: build a bundle");
    faults.dedup();
    faults
}

/// Returns whether the registry accepts a name `namespace/name`.
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
