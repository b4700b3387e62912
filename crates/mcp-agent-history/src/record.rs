//! Typed lines of a session file.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use mcp_agent::Message;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::checkpoint::{FileChange, Snapshot};
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
    /// The user set the title of the session.
    Title(String),
    /// The CLI generated a title.
    GeneratedTitle(String),
    /// The tag of the session was set, or removed if the text is empty.
    Tag(String),
    /// A summary of the conversation so far.
    Summary(String),
    /// The last prompt so far, as the CLI shows it in lists of sessions.
    LastPrompt(String),
    /// The files at the time of a prompt: a point to which files can be rewound.
    Snapshot(Snapshot),
    /// A file was backed up before it was changed for the first time after a snapshot.
    FileChange(FileChange),
    /// A line of another type, unchanged.
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
    /// The id of the previous message.
    pub parent: Option<String>,
    /// The time, in ISO 8601.
    pub timestamp: Option<String>,
    /// Whether the message belongs to a sub-agent.
    pub is_sidechain: bool,
    /// Whether the CLI wrote it for the model, and it is not shown to users.
    pub is_meta: bool,
    /// Whether the message is the summary that a compaction left.
    pub is_compact_summary: bool,
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
    custom_title: Option<String>,
    #[serde(deserialize_with = "text")]
    ai_title: Option<String>,
    #[serde(deserialize_with = "text")]
    tag: Option<String>,
    #[serde(deserialize_with = "text")]
    summary: Option<String>,
    #[serde(deserialize_with = "text")]
    last_prompt: Option<String>,
    pub(crate) is_sidechain: serde_json::Value,
    pub(crate) is_meta: serde_json::Value,
    is_compact_summary: serde_json::Value,
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
        let Ok(mut head) = serde_json::from_str::<Head>(raw.get()) else { return Self::Other(raw) };
        let setting = match head.kind.as_deref().unwrap_or_default() {
            "custom-title" => head.custom_title.take().map(Self::Title),
            "ai-title" => head.ai_title.take().map(Self::GeneratedTitle),
            "tag" => head.tag.take().map(Self::Tag),
            "summary" => head.summary.take().map(Self::Summary),
            "last-prompt" => head.last_prompt.take().map(Self::LastPrompt),
            "file-history-snapshot" => serde_json::from_str(raw.get()).ok().map(Self::Snapshot),
            "file-history-delta" => serde_json::from_str(raw.get()).ok().map(Self::FileChange),
            "user" | "assistant" | "system" => Entry::new(&head, &raw).map(|entry| Self::Message(Box::new(entry))),
            _ => None,
        };
        setting.unwrap_or(Self::Other(raw))
    }
}

impl Entry {
    pub(crate) fn new(head: &Head, raw: &RawValue) -> Option<Self> {
        Some(Self {
            message: serde_json::from_str(raw.get()).ok()?,
            uuid: head.uuid.clone(),
            parent: head.parent_uuid.clone(),
            timestamp: head.timestamp.clone(),
            is_sidechain: head.is_sidechain == true,
            is_meta: head.is_meta == true,
            is_compact_summary: head.is_compact_summary == true,
        })
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
