//! `calc check --for registry` and `--for claude-directory`: what those who list servers require.

use mcp_core::Server;
use serde_json::{Value, json};

use super::Findings;
use crate::command_line::UsageError;
use crate::registry::{self, Fault};
use crate::suggestion::nearest;

/// Who lists the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Audience {
    /// The MCP registry.
    Registry,
    /// The directory of connectors and extensions of Anthropic.
    ClaudeDirectory,
}

const NAMES: [(&str, Audience); 2] = [("registry", Audience::Registry), ("claude-directory", Audience::ClaudeDirectory)];

/// The maximum length of a tool name in the directory's policy.
const DIRECTORY_NAME: usize = 64;

impl Audience {
    pub(super) fn parse(word: &str) -> Result<Audience, UsageError> {
        let names = NAMES.map(|(name, _)| name);
        NAMES.iter().find(|(name, _)| *name == word).map(|(_, audience)| *audience).ok_or_else(|| {
            let error = UsageError::new(format!("`--for {word}`: expected {}", names.join(" or ")));
            error.with_nearest(nearest(word, names))
        })
    }

    pub(super) fn check(self, server: &Server, tools: &[Value], findings: &mut Findings) {
        match self {
            Audience::Registry => registry(server, findings),
            Audience::ClaudeDirectory => {
                if server.info().description.is_none() && server.instructions().is_none() {
                    findings.error("server", "it has no description: set one with `.description(..)`");
                }
                tools.iter().for_each(|tool| directory(tool, findings));
            }
        }
    }
}

/// Checks what the server itself contributes to its entry. The name in the registry, the packages and the remotes belong to a
/// release.
fn registry(server: &Server, findings: &mut Findings) {
    let info = server.info();
    let mut entry = json!({"description": info.description, "version": info.version});
    for (key, value) in [("title", &info.title), ("websiteUrl", &info.website_url)] {
        if let Some(value) = value {
            entry[key] = json!(value);
        }
    }
    for Fault { field, reason } in registry::faults(&entry) {
        let setter = match field {
            "description" => "`.description(..)`",
            "title" => "`.title(..)`",
            "version" => "the version of the server",
            "websiteUrl" => "`.website_url(..)`",
            _ => continue,
        };
        findings.error("server", format!("its `{field}` {reason}; the registry rejects that: change {setter}"));
    }
    if info.title.is_none() {
        findings.warning("server", "it has no title: the registry shows its name");
    }
}

/// Anthropic's guides for submissions require a title and a hint on every tool: `readOnlyHint` if it only reads, else
/// `destructiveHint`.
fn directory(tool: &Value, findings: &mut Findings) {
    let name = tool["name"].as_str().unwrap_or_default();
    let subject = format!("tool `{name}`");
    let hints = &tool["annotations"];
    if tool["title"].as_str().or(hints["title"].as_str()).is_none_or(|title| title.trim().is_empty()) {
        findings.error(&subject, "it has no title, which Claude's directory requires: `#[tool(title = \"..\")]`");
    }
    match (hints["readOnlyHint"].as_bool(), hints["destructiveHint"].as_bool()) {
        (None | Some(false), None) => findings.error(
            &subject,
            "it has neither `readOnlyHint` nor `destructiveHint`, and Claude's directory requires one: `#[tool(read_only)]`, \
             `#[tool(destructive)]` or `#[tool(destructive = false)]`",
        ),
        (Some(true), Some(true)) => {
            findings.error(&subject, "it is announced as read-only and as destructive: Claude's directory rejects that");
        }
        _ => {}
    }
    let length = name.chars().count();
    if length > DIRECTORY_NAME {
        findings
            .error(&subject, format!("its name has {length} characters, and Claude's directory accepts {DIRECTORY_NAME}"));
    }
}
