//! Names that some client cannot send.

use std::collections::HashMap;

use super::Findings;

/// What model providers take as the name of a tool, which for Claude Code is `mcp__SERVER__TOOL`.
const LONGEST: usize = 64;

/// What Cursor takes for the names of server and tool together.
const LONGEST_IN_CURSOR: usize = 60;

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
        } else if server.chars().count() + name.chars().count() > LONGEST_IN_CURSOR {
            findings.warning(
                &subject,
                format!("with the name of the server it has more than the {LONGEST_IN_CURSOR} characters that Cursor takes"),
            );
        }
        let alike: String =
            name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' }).collect();
        if let Some(other) = seen.insert(alike, name) {
            findings.error(&subject, format!("clients that change letters they do not like take it for `{other}`"));
        }
    }
}

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
        assert_eq!(found("calculator", &[&"x".repeat(47)]), [], "57 with the server, 64 with the prefix");
        assert_eq!(found("a b", &["add"]), [(Severity::Warning, "server".into())]);
        assert_eq!(found("calc", &["add_one", "add-one", "Add_One"]).len(), 2);
    }
}
