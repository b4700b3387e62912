//! One MCP server of a project.

use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::mcp_config::{McpEntry, variables};

/// An MCP server of a project.
///
/// The [`Display`](fmt::Display) of a server is a question for the user: it shows what would be started or connected to, and which
/// variables it would get. Control characters of the entry are escaped, so that they cannot change what a terminal shows.
#[derive(Debug, Clone, PartialEq)]
pub struct ProjectServer {
    directory: PathBuf,
    name: String,
    entry: McpEntry,
}

impl ProjectServer {
    pub(super) fn new(directory: PathBuf, name: String, entry: McpEntry) -> Self {
        Self { directory, name, entry }
    }

    /// Returns the directory of the project.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Returns the name of the server.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the entry, with its variables not expanded.
    pub fn entry(&self) -> &McpEntry {
        &self.entry
    }

    /// Returns the names of the variables of the environment that the entry refers to.
    pub fn variables(&self) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        collect(&self.content(), &mut names);
        names
    }

    /// Returns the entry in a canonical form.
    pub(super) fn content(&self) -> Value {
        serde_json::to_value(&self.entry).unwrap_or_default()
    }
}

/// Collects the variables in all texts: the CLI may expand those of fields that this crate does not know.
fn collect(value: &Value, names: &mut BTreeSet<String>) {
    match value {
        Value::String(text) => names.extend(variables(text)),
        Value::Array(items) => items.iter().for_each(|item| collect(item, names)),
        Value::Object(fields) => fields.values().for_each(|field| collect(field, names)),
        _ => {}
    }
}

impl fmt::Display for ProjectServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the project {} defines the MCP server {}",
            Shown(&self.directory.display().to_string()),
            Shown(&self.name)
        )?;
        let rest = match &self.entry {
            McpEntry::Stdio(entry) => {
                write!(f, "\n  runs with your rights: {}", Shown(&entry.command))?;
                entry.args.iter().try_for_each(|argument| write!(f, " {}", Shown(&quoted(argument))))?;
                let mut env = entry.env.iter();
                env.try_for_each(|(name, value)| write!(f, "\n  sets {}={}", Shown(name), Shown(value)))?;
                &entry.rest
            }
            McpEntry::Http(entry) | McpEntry::Sse(entry) => {
                write!(f, "\n  connects to {}", Shown(&entry.url))?;
                let mut headers = entry.headers.iter();
                headers.try_for_each(|(name, value)| write!(f, "\n  sends {}: {}", Shown(name), Shown(value)))?;
                &entry.rest
            }
            McpEntry::Sdk(entry) => &entry.rest,
            McpEntry::Other(fields) => fields,
        };
        rest.iter().try_for_each(|(name, value)| write!(f, "\n  {}: {}", Shown(name), Shown(&value.to_string())))?;
        let variables: Vec<String> = self.variables().into_iter().collect();
        if !variables.is_empty() {
            write!(f, "\n  gets the values of your variables {}", variables.join(", "))?;
        }
        Ok(())
    }
}

/// Quotes an argument that would otherwise look like several.
fn quoted(argument: &str) -> String {
    let is_plain = !argument.is_empty() && !argument.contains(|c: char| c.is_whitespace() || c == '"');
    if is_plain { argument.to_owned() } else { format!("{argument:?}") }
}

/// Text of a project, without characters that change how other text is shown.
struct Shown<'a>(&'a str);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Zero-width characters, and those that change the direction of text.
        let is_invisible =
            |c: char| matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
        self.0.chars().try_for_each(|c| {
            if c.is_control() || is_invisible(c) { write!(f, "{}", c.escape_unicode()) } else { write!(f, "{c}") }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn server(entry: Value) -> ProjectServer {
        ProjectServer::new("/p".into(), "db".into(), serde_json::from_value(entry).expect("an entry"))
    }

    #[test]
    fn everything_that_would_run_and_every_variable_is_shown() {
        let stdio =
            server(json!({"command": "npx", "args": ["-y", "${PKG:-db}", "a b"], "env": {"T": "${TOKEN}"}, "timeout": 5}));
        let expected = "the project /p defines the MCP server db\n  runs with your rights: npx -y ${PKG:-db} \"a b\"\n  sets T=${TOKEN}\n  \
                        timeout: 5\n  gets the values of your variables PKG, TOKEN";
        assert_eq!(stdio.to_string(), expected);
        let http =
            server(json!({"type": "http", "url": "https://x/", "headers": {"A": "${KEY}"}, "headersHelper": "sh ${X}"}));
        let expected = "the project /p defines the MCP server db\n  connects to https://x/\n  sends A: ${KEY}\n  \
                        headersHelper: \"sh ${X}\"\n  gets the values of your variables KEY, X";
        assert_eq!(http.to_string(), expected);
    }

    #[test]
    fn control_characters_cannot_hide_a_part_of_the_command() {
        let shown = server(json!({"command": "evil\r\u{1b}[2Kgood", "args": ["\u{202e}x", "\u{9b}1m"]})).to_string();
        assert_eq!(shown.lines().nth(1), Some("  runs with your rights: evil\\u{d}\\u{1b}[2Kgood \\u{202e}x \\u{9b}1m"));
    }
}
