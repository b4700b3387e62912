//! Names that some client cannot send.

use std::collections::HashMap;

use super::Findings;

/// What model providers take as the name of a tool, which for Claude Code is `mcp__SERVER__TOOL`.
///
/// OpenAI documents "a maximum length of 64" for the name of a function, Anthropic `^[a-zA-Z0-9_-]{1,64}$` for that of a tool; its
/// API has been seen to take 128 (github/copilot-cli#1879), other models behind the same client do not
/// (microsoft/vscode#243602, ChromeDevTools/chrome-devtools-mcp#1169). What fits is short enough for Cursor too, which leaves out
/// tools with 60 characters and more together with their server (ComposioHQ/composio#2788).
const LONGEST: usize = 64;

/// The name of the server, which is part of the names of its tools.
pub(super) fn server(name: &str, findings: &mut Findings) {
    if let Some(odd) = name.chars().find(|c| !is_plain(*c)) {
        findings.warning(
            "server",
            format!("its name `{name}` holds {odd:?}: Claude Code takes A-Z a-z 0-9 _ - and writes _ for the rest"),
        );
    }
    if name.contains("__") {
        findings.warning(
            "server",
            format!("its name `{name}` holds `__`, which separates server and tool in `mcp__SERVER__TOOL`"),
        );
    }
}

/// The names of the tools, each and together.
pub(super) fn tools(server: &str, names: &[&str], findings: &mut Findings) {
    let mut seen: HashMap<String, &str> = HashMap::new();
    for name in names {
        let subject = format!("tool `{name}`");
        if let Some(odd) = name.chars().find(|c| !is_plain(*c)) {
            findings.error(
                &subject,
                format!("its name holds {odd:?}: the APIs of Anthropic and OpenAI take A-Z a-z 0-9 _ - only"),
            );
        }
        let full = format!("mcp__{server}__{name}").chars().count();
        if full > LONGEST {
            findings.error(
                &subject,
                format!("`mcp__{server}__{name}` has {full} characters, and model providers take {LONGEST}"),
            );
        }
        let alike: String =
            name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' }).collect();
        if let Some(other) = seen.insert(alike, name) {
            findings.error(&subject, format!("clients that change letters they do not like take it for `{other}`"));
        }
    }
}

/// What the pattern of [`LONGEST`] takes; a dot or a slash fails every request (github/copilot-cli#1879).
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
    fn names_that_cannot_be_sent_are_errors() {
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
