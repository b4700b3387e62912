//! Checks that descriptions are present and short enough.

use serde_json::Value;

use super::Findings;

/// The maximum length of a function description in the API of OpenAI.
///
/// For a longer one it responds `string_above_max_length`, "Expected a string with maximum length 1024" (getsentry/sentry-mcp#106).
const OPENAI_MAX: usize = 1024;

/// How many characters of a description or of instructions Claude Code passes on.
///
/// "Claude Code truncates tool descriptions and server instructions at 2KB each" (its documentation, "Connect to tools via MCP",
/// for server authors).
const CLAUDE_CODE_MAX: usize = 2048;

/// A description with fewer words says no more than the name.
const MIN_WORDS: usize = 2;

pub(super) fn tool(subject: &str, tool: &Value, findings: &mut Findings) {
    let text = tool["description"].as_str().unwrap_or_default();
    let length = text.chars().count();
    if length > CLAUDE_CODE_MAX {
        findings.error(subject, format!("its description has {length} characters: Claude Code cuts it off after {CLAUDE_CODE_MAX}, OpenAI rejects more than {OPENAI_MAX}"));
    } else if length > OPENAI_MAX {
        findings
            .error(subject, format!("its description has {length} characters, and OpenAI rejects more than {OPENAI_MAX}"));
    } else if text.split_whitespace().count() < MIN_WORDS {
        findings.warning(subject, "its description is too short for a model to know when to call it");
    }
    for (name, property) in tool["inputSchema"]["properties"].as_object().into_iter().flatten() {
        if property["description"].as_str().is_none_or(|text| text.trim().is_empty()) && property.get("$ref").is_none() {
            findings.warning(subject, format!("argument `{name}` has no description: add a doc comment to the parameter"));
        }
    }
}

pub(super) fn instructions(text: &str, findings: &mut Findings) {
    let length = text.chars().count();
    if length > CLAUDE_CODE_MAX {
        findings.warning(
            "server",
            format!("its instructions have {length} characters: Claude Code cuts them off after {CLAUDE_CODE_MAX}"),
        );
    }
}
