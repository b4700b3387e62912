//! One server of an MCP configuration.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

use super::expand::{UnsetVariable, expand};
use crate::options::McpServer;

/// A server of an MCP configuration, by transport.
///
/// Variables such as `${NAME}` are kept unexpanded; [`expanded`](Self::expanded) replaces them.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum McpEntry {
    /// A program that communicates over its standard input and output.
    Stdio(StdioEntry),
    /// A server over streamable HTTP.
    Http(HttpEntry),
    /// A server over the older HTTP transport with server-sent events.
    Sse(HttpEntry),
    /// A server mounted by the program that runs the CLI.
    Sdk(SdkEntry),
    /// An unknown transport, or an entry with fields of an unexpected type.
    Other(Map<String, Value>),
}

/// A server that is a program.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct StdioEntry {
    /// The path or name of the program.
    pub command: String,
    /// The arguments of the program.
    #[serde(default)]
    pub args: Vec<String>,
    /// Environment variables to add to the inherited ones.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
    /// All fields of the entry that are not listed above.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

/// A server over HTTP.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct HttpEntry {
    /// The URL of the server.
    pub url: String,
    /// Headers of every request.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub headers: BTreeMap<String, String>,
    /// All fields of the entry that are not listed above.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

/// A server mounted by the program that runs the CLI.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SdkEntry {
    /// The name of the server.
    pub name: String,
    /// All fields of the entry that are not listed above.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

impl McpEntry {
    /// Creates an entry for a program with arguments.
    pub fn stdio(command: impl Into<String>, args: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let args = args.into_iter().map(Into::into).collect();
        Self::Stdio(StdioEntry { command: command.into(), args, ..StdioEntry::default() })
    }

    /// Creates an entry for a server over streamable HTTP.
    pub fn http(url: impl Into<String>) -> Self {
        Self::Http(HttpEntry { url: url.into(), ..HttpEntry::default() })
    }

    /// Creates an entry for a server over the older HTTP transport with server-sent events.
    pub fn sse(url: impl Into<String>) -> Self {
        Self::Sse(HttpEntry { url: url.into(), ..HttpEntry::default() })
    }

    /// Returns a copy with all variables replaced: in the command, arguments, environment, URL and headers.
    ///
    /// # Errors
    /// If a variable has neither a value nor a default. The CLI would keep the text `${NAME}` instead, which causes
    /// confusing failures of the server.
    pub fn expanded(&self, value: &dyn Fn(&str) -> Option<String>) -> Result<Self, UnsetVariable> {
        let text = |text: &String| expand(text, value);
        let texts = |texts: &Vec<String>| texts.iter().map(text).collect::<Result<Vec<_>, _>>();
        let entries = |map: &BTreeMap<String, String>| -> Result<BTreeMap<String, String>, UnsetVariable> {
            map.iter().map(|(name, entry)| Ok((name.clone(), text(entry)?))).collect()
        };
        let http = |http: &HttpEntry| -> Result<HttpEntry, UnsetVariable> {
            Ok(HttpEntry { url: text(&http.url)?, headers: entries(&http.headers)?, rest: http.rest.clone() })
        };
        Ok(match self {
            Self::Stdio(stdio) => Self::Stdio(StdioEntry {
                command: text(&stdio.command)?,
                args: texts(&stdio.args)?,
                env: entries(&stdio.env)?,
                rest: stdio.rest.clone(),
            }),
            Self::Http(entry) => Self::Http(http(entry)?),
            Self::Sse(entry) => Self::Sse(http(entry)?),
            Self::Sdk(_) | Self::Other(_) => self.clone(),
        })
    }

    pub(super) fn kind(&self) -> Option<&'static str> {
        match self {
            Self::Stdio(_) => Some("stdio"),
            Self::Http(_) => Some("http"),
            Self::Sse(_) => Some("sse"),
            Self::Sdk(_) => Some("sdk"),
            Self::Other(_) => None,
        }
    }

    fn to_map(&self) -> Result<Map<String, Value>, serde_json::Error> {
        let fields = match self {
            Self::Stdio(entry) => serde_json::to_value(entry)?,
            Self::Http(entry) | Self::Sse(entry) => serde_json::to_value(entry)?,
            Self::Sdk(entry) => serde_json::to_value(entry)?,
            Self::Other(fields) => return Ok(fields.clone()),
        };
        let mut map = Map::new();
        map.extend(self.kind().map(|kind| ("type".to_owned(), kind.into())));
        if let Value::Object(fields) = fields {
            map.extend(fields);
        }
        Ok(map)
    }
}

impl From<McpEntry> for McpServer {
    /// Converts the entry for [`Agent::mcp_server`](crate::Agent::mcp_server).
    fn from(entry: McpEntry) -> Self {
        Self::from_config(entry.to_map().unwrap_or_default())
    }
}

impl Serialize for McpEntry {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_map().map_err(serde::ser::Error::custom)?.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for McpEntry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let fields = Map::<String, Value>::deserialize(deserializer)?;
        let mut known = fields.clone();
        // An entry without `type` is a program.
        let kind = known.remove("type").map_or(Some("stdio".to_owned()), |kind| kind.as_str().map(str::to_owned));
        let known = Value::Object(known);
        let typed = match kind.as_deref() {
            Some("stdio") => serde_json::from_value(known).map(Self::Stdio),
            Some("http" | "streamable-http") => serde_json::from_value(known).map(Self::Http),
            Some("sse") => serde_json::from_value(known).map(Self::Sse),
            Some("sdk") => serde_json::from_value(known).map(Self::Sdk),
            _ => return Ok(Self::Other(fields)),
        };
        Ok(typed.unwrap_or(Self::Other(fields)))
    }
}
