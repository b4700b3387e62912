//! Parsing of a single permission rule.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use globset::{Glob, GlobBuilder, GlobMatcher};
use mcp_agent_tools::ToolName;

use super::command::CommandPattern;

/// A permission rule in the syntax of settings files: `Tool` or `Tool(content)`.
#[derive(Debug, Clone)]
pub struct Rule {
    text: String,
    pub(crate) tool: ToolPattern,
    pub(crate) content: Option<Content>,
}

/// The pattern for the names of tools.
#[derive(Debug, Clone)]
pub(crate) struct ToolPattern {
    name: String,
    exact: GlobMatcher,
    any_case: GlobMatcher,
}

/// The part of a rule in parentheses, which restricts the rule to some uses of the tool.
#[derive(Debug, Clone)]
pub(crate) enum Content {
    /// Shell commands.
    Command(CommandPattern),
    /// Files. The pattern is resolved to absolute paths when the rule is evaluated.
    Path(String),
    /// A domain, for URLs.
    Domain(String),
    /// The name of a sub-agent or skill.
    Name(CommandPattern),
    /// Content whose syntax this version does not know.
    Unknown,
}

/// The error for an invalid rule.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RuleError {
    /// The text of the rule.
    pub rule: String,
    /// What is wrong with the rule.
    pub reason: &'static str,
}

impl Rule {
    /// Returns the text of the rule.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the pattern for shell commands, if the rule has one.
    pub(crate) fn command_pattern(&self) -> Option<&CommandPattern> {
        match &self.content {
            Some(Content::Command(pattern)) => Some(pattern),
            _ => None,
        }
    }
}

impl FromStr for Rule {
    type Err = RuleError;

    fn from_str(text: &str) -> Result<Self, RuleError> {
        let error = |reason| RuleError { rule: text.to_owned(), reason };
        let trimmed = text.trim();
        let (name, content) = match trimmed.split_once('(') {
            None => (trimmed, None),
            Some((name, rest)) => {
                let content =
                    rest.strip_suffix(')').ok_or_else(|| error("the closing parenthesis is missing at the end"))?;
                (name.trim_end(), Some(content.trim()))
            }
        };
        if name.is_empty() {
            return Err(error("the tool name is missing"));
        }
        if name.contains(|c: char| c.is_whitespace() || matches!(c, ')' | ',')) {
            return Err(error("a tool name must not contain spaces, commas or parentheses"));
        }
        let tool = ToolPattern::new(name).map_err(|_| error("the tool name is not a valid pattern"))?;
        let content = match content {
            // Empty content and `*` match every use of the tool.
            None | Some("" | "*") => None,
            Some(content) => {
                Some(Content::of(name, content).map_err(|_| error("the content in parentheses is not a valid pattern"))?)
            }
        };
        Ok(Self { text: trimmed.to_owned(), tool, content })
    }
}

impl ToolPattern {
    fn new(name: &str) -> Result<Self, globset::Error> {
        // `*` is the only wildcard in tool names. The name of an MCP server alone matches all its tools.
        let mut pattern = name.split('*').map(globset::escape).collect::<Vec<_>>().join("*");
        if let ToolName::Mcp { tool: None, .. } = ToolName::parse(name)
            && !name.ends_with('*')
        {
            pattern += "{,__*}";
        }
        let build = |any_case| GlobBuilder::new(&pattern).empty_alternates(true).case_insensitive(any_case).build();
        let (exact, any_case) = (build(false)?.compile_matcher(), build(true)?.compile_matcher());
        Ok(Self { name: name.to_owned(), exact, any_case })
    }

    /// Returns the tool name as written in the rule.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn is_match(&self, tool: &str, any_case: bool) -> bool {
        if any_case { self.any_case.is_match(tool) } else { self.exact.is_match(tool) }
    }
}

impl Content {
    fn of(tool: &str, content: &str) -> Result<Self, globset::Error> {
        Ok(match tool.to_ascii_lowercase().as_str() {
            "bash" => Self::Command(CommandPattern::new(content)?),
            "read" | "edit" | "write" | "multiedit" | "notebookedit" | "glob" | "grep" => {
                // The pattern is compiled with its directory when the rule is evaluated. This only validates it.
                Glob::new(content)?;
                Self::Path(content.to_owned())
            }
            "webfetch" => content
                .strip_prefix("domain:")
                .map_or(Self::Unknown, |domain| Self::Domain(domain.trim().to_ascii_lowercase())),
            "task" | "agent" | "skill" => Self::Name(CommandPattern::new(content)?),
            _ => Self::Unknown,
        })
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Display for RuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "invalid permission rule {:?}: {}", self.rule, self.reason)
    }
}

impl Error for RuleError {}
