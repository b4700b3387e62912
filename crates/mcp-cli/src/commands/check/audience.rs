//! `calc check --for registry` and `--for claude-directory`: what those who list servers require.

use mcp_core::Server;
use serde_json::Value;

use super::Findings;
use crate::command_line::UsageError;
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

/// The maximum length of a title and a description in the registry's schema of 2025-12-11.
const REGISTRY_TEXT: usize = 100;

/// The maximum length of a version in that schema.
const REGISTRY_VERSION: usize = 255;

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

/// The rules are those of the schema and of the validators of the registry.
fn registry(server: &Server, findings: &mut Findings) {
    let info = server.info();
    match info.description.as_deref().map(|text| text.chars().count()) {
        None => {
            findings.error("server", "it has no description, which the registry requires: set one with `.description(..)`")
        }
        Some(length) if !(1..=REGISTRY_TEXT).contains(&length) => findings.error(
            "server",
            format!("its description has {length} characters, and the registry accepts 1 to {REGISTRY_TEXT}"),
        ),
        Some(_) => {}
    }
    match info.title.as_deref().map(|title| title.chars().count()) {
        None => findings.warning("server", "it has no title: the registry shows its name"),
        Some(length) if !(1..=REGISTRY_TEXT).contains(&length) => {
            findings.error(
                "server",
                format!("its title has {length} characters, and the registry accepts 1 to {REGISTRY_TEXT}"),
            );
        }
        Some(_) => {}
    }
    let version = &info.version;
    let is_range = version.starts_with(['^', '~', '<', '>', '=', 'v']) || version.contains(['*', ' ', '|']);
    if version.is_empty() || version.len() > REGISTRY_VERSION || version == "latest" || is_range {
        findings.error("server", format!("the registry does not accept its version `{version}`: use one such as 1.2.3"));
    }
    if let Some(address) = info.website_url.as_ref().filter(|address| !address.starts_with("https://")) {
        findings
            .error("server", format!("its address `{address}` does not begin with https://, which the registry requires"));
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
