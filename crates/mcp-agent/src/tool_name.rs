//! The names of tools, taken apart.

use std::fmt;

/// What comes before the names of an MCP server and its tool.
const MCP: &str = "mcp__";

/// The name of a tool as the model sees it: one of the CLI's own, or one of an MCP server.
///
/// ```
/// # use mcp_agent::ToolName;
/// assert_eq!(ToolName::parse("Bash"), ToolName::Own("Bash"));
/// let name = ToolName::parse("mcp__calc__add");
/// assert_eq!(name, ToolName::Mcp { server: "calc", tool: Some("add") });
/// assert_eq!((name.server(), name.to_string()), (Some("calc"), "mcp__calc__add".to_owned()));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ToolName<'a> {
    /// A tool of the CLI.
    Own(&'a str),
    /// A tool of an MCP server, or in a rule the whole server.
    Mcp {
        /// The server.
        server: &'a str,
        /// The tool; `None` where only the server is named, as rules do.
        tool: Option<&'a str>,
    },
}

impl<'a> ToolName<'a> {
    /// Takes a name apart.
    ///
    /// The server's name ends at the first two underscores, as it does for the CLI; the tool's may have more of them. A
    /// name that only looks like one of a server, such as `mcp__` or `mcp____x`, is one of the CLI's own.
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

    /// The MCP server, if it is a tool of one.
    pub fn server(&self) -> Option<&'a str> {
        match self {
            Self::Own(_) => None,
            Self::Mcp { server, .. } => Some(server),
        }
    }

    /// The tool, without its server.
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
    fn names_come_apart_where_the_cli_takes_them_apart() {
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
        fn a_name_is_its_parts(name in "(mcp__)?[a-z_*]{0,12}") {
            prop_assert_eq!(ToolName::parse(&name).to_string(), name);
        }
    }
}
