//! The lines of a session, typed.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use mcp_agent::Message;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::error::HistoryError;
use crate::line::{self, Line};

/// The longest line that is read; longer ones are told by their length.
const LIMIT: usize = 64 << 20;

/// A line of a session.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Record {
    /// Something of the conversation.
    Message(Box<Entry>),
    /// The session was given a title.
    Title(String),
    /// The session was given a tag, or an empty one: none.
    Tag(String),
    /// What the conversation up to some message was about.
    Summary(String),
    /// A line of another kind, as it stands.
    Other(Box<RawValue>),
    /// A line that is not JSON, by its number from 1: a session that was cut off ends with one.
    Broken {
        /// Which line.
        line: u64,
    },
    /// A line that is too long to be held.
    TooLong {
        /// Which line.
        line: u64,
        /// How many bytes.
        bytes: u64,
    },
}

/// Something of a conversation, and its place in it.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Entry {
    /// What was said.
    pub message: Message,
    /// Its id.
    pub uuid: Option<String>,
    /// What it follows.
    pub parent: Option<String>,
    /// When, in ISO 8601.
    pub timestamp: Option<String>,
    /// Whether it belongs to a sub-agent.
    pub is_sidechain: bool,
}

/// What a line may say of itself.
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

/// A field that is text, or else is not there: no field of a line makes the line unreadable.
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

/// The lines of a session, one at a time.
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
