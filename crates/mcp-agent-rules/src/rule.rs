//! One rule, as it is written.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use globset::{Glob, GlobBuilder, GlobMatcher};
use mcp_agent::ToolName;

use crate::command::CommandPattern;

/// One rule as settings have it: `Tool`, or `Tool(what of it)`.
#[derive(Debug, Clone)]
pub struct Rule {
    text: String,
    pub(crate) tool: ToolPattern,
    pub(crate) content: Option<Content>,
}

/// Which tools.
#[derive(Debug, Clone)]
pub(crate) struct ToolPattern {
    name: String,
    exact: GlobMatcher,
    any_case: GlobMatcher,
}

/// What of a tool.
#[derive(Debug, Clone)]
pub(crate) enum Content {
    /// Commands of the shell.
    Command(CommandPattern),
    /// Files, by a pattern that is made absolute when it is used.
    Path(String),
    /// Hosts of the web.
    Domain(String),
    /// A name: of a sub-agent, of a skill.
    Name(CommandPattern),
    /// Something that this version cannot read.
    Unknown,
}

/// A rule that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RuleError {
    /// The rule as it was written.
    pub rule: String,
    /// What is wrong with it.
    pub reason: &'static str,
}

impl Rule {
    /// The rule as it was written.
    pub fn as_str(&self) -> &str {
        &self.text
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
                let content = rest.strip_suffix(')').ok_or_else(|| error("the parenthesis is not closed"))?;
                (name.trim_end(), Some(content.trim()))
            }
        };
        if name.is_empty() {
            return Err(error("there is no tool"));
        }
        if name.contains(|c: char| c.is_whitespace() || matches!(c, ')' | ',')) {
            return Err(error("a tool's name has no spaces, commas or parentheses"));
        }
        let tool = ToolPattern::new(name).map_err(|_| error("the tool is no pattern"))?;
        let content = match content {
            // An empty one says as much as none.
            None | Some("" | "*") => None,
            Some(content) => Some(Content::of(name, content).map_err(|_| error("what is in parentheses is no pattern"))?),
        };
        Ok(Self { text: trimmed.to_owned(), tool, content })
    }
}

impl ToolPattern {
    fn new(name: &str) -> Result<Self, globset::Error> {
        // Only a star is a pattern in the name of a tool. The name of a server alone means all its tools.
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

    /// The tool as the rule names it.
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
                // Compiled with its directory when it is used; here only to see that it can be.
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
        write!(f, "the rule {:?} cannot be read: {}", self.rule, self.reason)
    }
}

impl Error for RuleError {}
