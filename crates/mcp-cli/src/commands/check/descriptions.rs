//! Descriptions that are cut off, or that leave a model guessing.

use serde_json::Value;

use super::Findings;

/// What OpenAI takes as the description of a function.
///
/// Beyond it answers `string_above_max_length`, "Expected a string with maximum length 1024" (getsentry/sentry-mcp#106).
const LONGEST: usize = 1024;

/// What Claude Code shows of a description or of instructions.
///
/// "Claude Code truncates tool descriptions and server instructions at 2KB each" (its documentation, "Connect to tools via MCP",
/// for server authors).
const SHOWN: usize = 2048;

/// Fewer words than this say no more than the name.
const FEWEST_WORDS: usize = 2;

pub(super) fn tool(subject: &str, tool: &Value, findings: &mut Findings) {
    let text = tool["description"].as_str().unwrap_or_default();
    let length = text.chars().count();
    if length > SHOWN {
        findings.error(subject, format!("its description has {length} characters: Claude Code cuts it off after {SHOWN}, OpenAI refuses more than {LONGEST}"));
    } else if length > LONGEST {
        findings.error(subject, format!("its description has {length} characters, and OpenAI refuses more than {LONGEST}"));
    } else if text.split_whitespace().count() < FEWEST_WORDS {
        findings.warning(subject, "its description says too little for a model to know when to call it");
    }
    for (name, property) in tool["inputSchema"]["properties"].as_object().into_iter().flatten() {
        if property["description"].as_str().is_none_or(|text| text.trim().is_empty()) && property.get("$ref").is_none() {
            findings
                .warning(subject, format!("argument `{name}` has no description: a doc comment on the parameter is one"));
        }
    }
}

pub(super) fn instructions(text: &str, findings: &mut Findings) {
    let length = text.chars().count();
    if length > SHOWN {
        findings.warning(
            "server",
            format!("its instructions have {length} characters: Claude Code cuts them off after {SHOWN}"),
        );
    }
}
