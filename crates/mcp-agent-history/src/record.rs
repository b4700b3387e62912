//! Typed lines of a session file.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use mcp_agent::Message;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::error::HistoryError;
use crate::line::{self, Line};

/// The longest line that is read, in bytes. Of a longer line only the length is returned.
const LIMIT: usize = 64 << 20;

/// A line of a session file.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Record {
    /// A message of the conversation.
    Message(Box<Entry>),
    /// The title of the session was set.
    Title(String),
    /// The tag of the session was set, or removed if the text is empty.
    Tag(String),
    /// A summary of the conversation so far.
    Summary(String),
    /// A line of an unknown type, unchanged.
    Other(Box<RawValue>),
    /// A line that is not valid JSON. If writing was interrupted, the last line is incomplete.
    Broken {
        /// The line number, counted from 1.
        line: u64,
    },
    /// A line that is longer than 64 MiB. Its content is skipped.
    TooLong {
        /// The line number, counted from 1.
        line: u64,
        /// The length of the line in bytes.
        bytes: u64,
    },
}

/// A message of a conversation and its position.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Entry {
    /// The message.
    pub message: Message,
    /// The id of the message.
    pub uuid: Option<String>,
    /// The id of the message before it.
    pub parent: Option<String>,
    /// The time, in ISO 8601.
    pub timestamp: Option<String>,
    /// Whether it belongs to a sub-agent.
    pub is_sidechain: bool,
}

/// The fields that this crate reads from a line.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct Head {
    #[serde(rename = "type", deserialize_with = "text")]
    pub(crate) kind: Option<String>,
    #[serde(deserialize_with = "text")]
    pub(crate) uuid: Option<String>,
    #[serde(deserialize_with = "text")]
    pub(crate) parent_uuid: Option<String>,
    #[serde(deserialize_with = "text")]
    pub(crate) timestamp: Option<String>,
    #[serde(deserialize_with = "text")]
    pub(crate) cwd: Option<String>,
    #[serde(deserialize_with = "text")]
    pub(crate) custom_title: Option<String>,
    #[serde(deserialize_with = "text")]
    pub(crate) ai_title: Option<String>,
    #[serde(deserialize_with = "text")]
    pub(crate) tag: Option<String>,
    #[serde(deserialize_with = "text")]
    pub(crate) summary: Option<String>,
    pub(crate) is_sidechain: serde_json::Value,
    pub(crate) is_meta: serde_json::Value,
}

/// Deserializes a text field. Any other type gives `None`, so that one unexpected field does not invalidate the line.
fn text<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Ok(match serde_json::Value::deserialize(deserializer)? {
        serde_json::Value::String(text) => Some(text),
        _ => None,
    })
}

impl Record {
    pub(crate) fn parse(bytes: &[u8], number: u64) -> Self {
        let broken = Self::Broken { line: number };
        let Ok(raw) = serde_json::from_slice::<Box<RawValue>>(bytes) else { return broken };
        let Ok(head) = serde_json::from_str::<Head>(raw.get()) else { return Self::Other(raw) };
        match (head.kind.as_deref(), head.custom_title, head.ai_title, head.tag, head.summary) {
            (Some("custom-title"), Some(title), ..) | (Some("ai-title"), _, Some(title), ..) => Self::Title(title),
            (Some("tag"), _, _, Some(tag), _) => Self::Tag(tag),
            (Some("summary"), _, _, _, Some(summary)) => Self::Summary(summary),
            (Some("user" | "assistant" | "system"), ..) => match serde_json::from_str::<Message>(raw.get()) {
                Ok(message) => Self::Message(Box::new(Entry {
                    message,
                    uuid: head.uuid,
                    parent: head.parent_uuid,
                    timestamp: head.timestamp,
                    is_sidechain: head.is_sidechain == true,
                })),
                Err(_) => Self::Other(raw),
            },
            _ => Self::Other(raw),
        }
    }
}

/// An iterator over the lines of a session file.
#[derive(Debug)]
pub struct Records {
    path: PathBuf,
    reader: BufReader<File>,
    line: u64,
    failed: bool,
}

impl Records {
    pub(crate) fn open(path: &Path) -> Result<Self, HistoryError> {
        let file = File::open(path).map_err(HistoryError::io(path))?;
        Ok(Self { path: path.to_owned(), reader: BufReader::with_capacity(1 << 16, file), line: 0, failed: false })
    }
}

impl Iterator for Records {
    type Item = Result<Record, HistoryError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.failed {
            self.line += 1;
            match line::next(&mut self.reader, LIMIT) {
                Ok(None) => return None,
                Ok(Some(Line::TooLong(bytes))) => return Some(Ok(Record::TooLong { line: self.line, bytes })),
                Ok(Some(Line::Whole(bytes))) if bytes.trim_ascii().is_empty() => {}
                Ok(Some(Line::Whole(bytes))) => return Some(Ok(Record::parse(&bytes, self.line))),
                Err(source) => {
                    self.failed = true;
                    return Some(Err(HistoryError::Io { path: self.path.clone(), source }));
                }
            }
        }
        None
    }
}
