//! Checks that names are accepted by clients and model providers.

use std::collections::HashMap;

use super::Findings;

/// The maximum length of a tool name for model providers. Claude Code sends `mcp__SERVER__TOOL` as the name.
///
/// OpenAI documents "a maximum length of 64" for the name of a function, Anthropic `^[a-zA-Z0-9_-]{1,64}$` for that of a tool; its
/// API has been seen to accept 128 (github/copilot-cli#1879), other models behind the same client do not
/// (microsoft/vscode#243602, ChromeDevTools/chrome-devtools-mcp#1169). Names of this length are also short enough for Cursor, which omits
/// tools whose name has 60 characters or more including the server name (ComposioHQ/composio#2788).
const MAX_LENGTH: usize = 64;

/// Checks the name of the server, which is part of the names that clients send for its tools.
pub(super) fn server(name: &str, findings: &mut Findings) {
    if let Some(odd) = name.chars().find(|c| !is_plain(*c)) {
        findings.warning(
            "server",
            format!("its name `{name}` contains {odd:?}: Claude Code replaces everything but A-Z a-z 0-9 _ - by _"),
        );
    }
    if name.contains("__") {
        findings.warning(
            "server",
            format!("its name `{name}` contains `__`, which separates server and tool in `mcp__SERVER__TOOL`"),
        );
    }
}

/// Checks each tool name, and that names stay distinct when clients replace characters.
pub(super) fn tools(server: &str, names: &[&str], findings: &mut Findings) {
    let mut seen: HashMap<String, &str> = HashMap::new();
    for name in names {
        let subject = format!("tool `{name}`");
        if let Some(odd) = name.chars().find(|c| !is_plain(*c)) {
            findings.error(
                &subject,
                format!("its name contains {odd:?}: the APIs of Anthropic and OpenAI accept only A-Z a-z 0-9 _ -"),
            );
        }
        let full = format!("mcp__{server}__{name}").chars().count();
        if full > MAX_LENGTH {
            findings.error(
                &subject,
                format!("`mcp__{server}__{name}` has {full} characters, and model providers accept {MAX_LENGTH}"),
            );
        }
        let normalized: String =
            name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' }).collect();
        if let Some(other) = seen.insert(normalized, name) {
            findings.error(
                &subject,
                format!("it has the same name as `{other}` for clients that replace special characters or ignore case"),
            );
        }
    }
}

/// Returns whether the pattern at [`MAX_LENGTH`] allows a character. With a dot or a slash every request fails
/// (github/copilot-cli#1879).
fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-')
}

#[cfg(test)]
mod tests {
    use super::super::Severity;
    use super::*;

    fn found(server_name: &str, names: &[&str]) -> Vec<(Severity, String)> {
        let mut findings = Findings::default();
        server(server_name, &mut findings);
        tools(server_name, names, &mut findings);
        findings.0.into_iter().map(|finding| (finding.severity, finding.subject)).collect()
    }

    #[test]
    fn names_that_providers_reject_are_errors() {
        assert_eq!(found("calc", &["add", "sub-tract_2"]), []);
        assert_eq!(found("calc", &["rooms.delete"]), [(Severity::Error, "tool `rooms.delete`".into())]);
        let long = "x".repeat(54);
        assert_eq!(found("calc", &[&long])[0].0, Severity::Error);
        assert_eq!(found("calculator", &[&"x".repeat(47)]), [], "64 with the prefix");
        assert_eq!(found("calculator", &[&"x".repeat(48)])[0].0, Severity::Error);
        assert_eq!(found("a b", &["add"]), [(Severity::Warning, "server".into())]);
        assert_eq!(found("calc", &["add_one", "add-one", "Add_One"]).len(), 2);
    }
}
