//! Parses the names of tools.

use std::fmt;

/// The prefix of the names of MCP tools.
const MCP: &str = "mcp__";

/// The name of a tool as the model sees it: a built-in tool of the CLI, or a tool of an MCP server.
///
/// ```
/// # use mcp_agent_tools::ToolName;
/// assert_eq!(ToolName::parse("Bash"), ToolName::Own("Bash"));
/// let name = ToolName::parse("mcp__calc__add");
/// assert_eq!(name, ToolName::Mcp { server: "calc", tool: Some("add") });
/// assert_eq!((name.server(), name.to_string()), (Some("calc"), "mcp__calc__add".to_owned()));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ToolName<'a> {
    /// A built-in tool of the CLI.
    Own(&'a str),
    /// A tool of an MCP server, or, in a permission rule, a whole server.
    Mcp {
        /// The name of the server.
        server: &'a str,
        /// The name of the tool; `None` if a permission rule names only the server.
        tool: Option<&'a str>,
    },
}

impl<'a> ToolName<'a> {
    /// Parses a name.
    ///
    /// As in the CLI, the name of the server ends at the first double underscore; the name of the tool may contain more
    /// of them. A name without a server or a tool, such as `mcp__` or `mcp____x`, is treated as a built-in tool.
    pub fn parse(name: &'a str) -> Self {
        let Some(rest) = name.strip_prefix(MCP) else {
            return Self::Own(name);
        };
        match rest.split_once("__") {
            Some(("", _)) => Self::Own(name),
            Some((_, "")) => Self::Own(name),
            Some((server, tool)) => Self::Mcp { server, tool: Some(tool) },
            None if rest.is_empty() => Self::Own(name),
            None => Self::Mcp { server: rest, tool: None },
        }
    }

    /// Returns the MCP server, or `None` for a built-in tool.
    pub fn server(&self) -> Option<&'a str> {
        match self {
            Self::Own(_) => None,
            Self::Mcp { server, .. } => Some(server),
        }
    }

    /// Returns the name of the tool without its server, or `None` if only a server is named.
    pub fn tool(&self) -> Option<&'a str> {
        match self {
            Self::Own(name) => Some(name),
            Self::Mcp { tool, .. } => *tool,
        }
    }
}

impl fmt::Display for ToolName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Own(name) => f.write_str(name),
            Self::Mcp { server, tool: Some(tool) } => write!(f, "{MCP}{server}__{tool}"),
            Self::Mcp { server, tool: None } => write!(f, "{MCP}{server}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names_are_split_as_the_cli_splits_them() {
        let mcp = |server, tool| ToolName::Mcp { server, tool };
        let table = [
            ("mcp__calc__add", mcp("calc", Some("add"))),
            ("mcp__calc__add__two", mcp("calc", Some("add__two"))),
            ("mcp__my_server__my_tool", mcp("my_server", Some("my_tool"))),
            ("mcp__ide__getDiagnostics", mcp("ide", Some("getDiagnostics"))),
            ("mcp__calc", mcp("calc", None)),
            ("mcp__calc__*", mcp("calc", Some("*"))),
            ("mcp__calc__", ToolName::Own("mcp__calc__")),
            ("mcp__", ToolName::Own("mcp__")),
            ("mcp____add", ToolName::Own("mcp____add")),
            ("MCP__calc__add", ToolName::Own("MCP__calc__add")),
            ("Bash", ToolName::Own("Bash")),
            ("", ToolName::Own("")),
        ];
        for (name, parts) in table {
            assert_eq!(ToolName::parse(name), parts, "{name}");
        }
    }

    proptest! {
        #[test]
        fn a_parsed_name_prints_as_it_was(name in "(mcp__)?[a-z_*]{0,12}") {
            prop_assert_eq!(ToolName::parse(&name).to_string(), name);
        }
    }
}
