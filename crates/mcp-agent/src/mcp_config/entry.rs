//! One server of a configuration.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

use super::expand::{Unset, expand};
use crate::options::McpServer;

/// A server of a configuration, by how it is reached.
///
/// Variables stand in it as they were written; [`expanded`](Self::expanded) puts their values in.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum McpEntry {
    /// A program that speaks on its standard input and output.
    Stdio(StdioEntry),
    /// A server over streamable HTTP.
    Http(HttpEntry),
    /// A server over the older HTTP transport with server-sent events.
    Sse(HttpEntry),
    /// A server of the program that runs the CLI.
    Sdk(SdkEntry),
    /// A kind that this version does not know, or one whose fields have another form.
    Other(Map<String, Value>),
}

/// A program.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct StdioEntry {
    /// The program.
    pub command: String,
    /// Its arguments.
    #[serde(default)]
    pub args: Vec<String>,
    /// Its environment, beside what it inherits.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
    /// Fields that this version does not know.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

/// A server over HTTP.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct HttpEntry {
    /// Its address.
    pub url: String,
    /// Headers of every request.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub headers: BTreeMap<String, String>,
    /// Fields that this version does not know.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

/// A server of the program that runs the CLI.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SdkEntry {
    /// Its name.
    pub name: String,
    /// Fields that this version does not know.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

impl McpEntry {
    /// A program with these arguments.
    pub fn stdio(command: impl Into<String>, args: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let args = args.into_iter().map(Into::into).collect();
        Self::Stdio(StdioEntry { command: command.into(), args, ..StdioEntry::default() })
    }

    /// A server over streamable HTTP.
    pub fn http(url: impl Into<String>) -> Self {
        Self::Http(HttpEntry { url: url.into(), ..HttpEntry::default() })
    }

    /// A server over the older HTTP transport.
    pub fn sse(url: impl Into<String>) -> Self {
        Self::Sse(HttpEntry { url: url.into(), ..HttpEntry::default() })
    }

    /// The same with values in the place of variables, in the command, arguments, environment, address and headers.
    ///
    /// # Errors
    /// For a variable without value and default. The CLI leaves its name in the text instead, and the server then fails in
    /// a way that nobody understands.
    pub fn expanded(&self, value: &dyn Fn(&str) -> Option<String>) -> Result<Self, Unset> {
        let text = |text: &String| expand(text, value);
        let texts = |texts: &Vec<String>| texts.iter().map(text).collect::<Result<Vec<_>, _>>();
        let entries = |map: &BTreeMap<String, String>| -> Result<BTreeMap<String, String>, Unset> {
            map.iter().map(|(name, entry)| Ok((name.clone(), text(entry)?))).collect()
        };
        let http = |http: &HttpEntry| -> Result<HttpEntry, Unset> {
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
    /// For [`Agent::mcp_server`](crate::Agent::mcp_server).
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
        // A program need not say that it is one.
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
