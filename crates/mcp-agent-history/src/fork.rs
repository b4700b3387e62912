//! Copies of sessions.

use std::collections::HashMap;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use chrono::{SecondsFormat, Utc};
use mcp_agent::store::SessionSummary;
use serde_json::{Map, Value, json};

use crate::error::HistoryError;
use crate::history::History;
use crate::line;
use crate::session::SessionInfo;
use crate::sys;

/// Lines that are copied beside those of the conversation. Other lines belong to the process that wrote them: its queue, its
/// requests, its costs.
const KEPT: &[&str] = &[
    "content-replacement",
    "atis-latch",
    "tools-used",
    "data-flow-incomplete",
    "data-flow-records",
    "derived-from",
    "relocated",
    "mode",
    "file-history-snapshot",
    "file-history-delta",
];

/// How to copy a session, for [`History::fork`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fork {
    up_to: Option<String>,
    title: Option<String>,
}

impl Fork {
    /// Copies the whole session.
    pub fn new() -> Self {
        Self::default()
    }

    /// Ends the copy with the message of this id.
    #[must_use]
    pub fn up_to(mut self, message_uuid: impl Into<String>) -> Self {
        self.up_to = Some(message_uuid.into());
        self
    }

    /// Sets the title of the copy. The default is the title of the session, or its first prompt, with " (fork)" at the end.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Returns the title of the copy.
    pub(crate) fn title_of(&self, original: &SessionSummary) -> String {
        if let Some(title) = self.title.as_deref().map(str::trim).filter(|title| !title.is_empty()) {
            return title.to_owned();
        }
        let name = original.title().or(original.first_prompt.as_deref()).or(original.first_command.as_deref());
        format!("{} (fork)", name.unwrap_or("Forked session"))
    }
}

/// # Forks
impl History {
    /// Copies a session and returns the id of the copy.
    ///
    /// The copy has new ids for its messages; the field `forkedFrom` of each line has the old ones. Large tool results and file
    /// backups are copied too, so that the copy does not depend on the original, and its files can be rewound. Transcripts of
    /// sub-agents are not copied.
    ///
    /// # Errors
    /// If the session or the message does not exist, the session is running, or the copy cannot be written.
    pub fn fork(&self, id: &str, fork: &Fork) -> Result<String, HistoryError> {
        let path = self.file_to_change(id)?;
        let mut ids = Ids::new(id, fork);
        let read = line::each(&path, |bytes| {
            ids.add(bytes);
            Ok(())
        });
        read.map_err(HistoryError::io(&path))?;
        ids.check()?;
        let summary = SessionInfo::of_file(&path).map_err(HistoryError::io(&path))?.map(|session| session.summary);
        let title = fork.title_of(&summary.unwrap_or_default());
        let target = path.with_file_name(format!("{}.jsonl", ids.copy));
        // Written under another name first, so that an incomplete copy is never listed as a session.
        let partial = path.with_file_name(format!("{}.partial", ids.copy));
        let backups = self.claude.join("file-history");
        let done = copy_files(&backups.join(id), &backups.join(&ids.copy))
            .and_then(|()| {
                copy_files(&path.with_extension("").join("tool-results"), &target.with_extension("").join("tool-results"))
            })
            .and_then(|()| ids.write(&path, &partial, &title))
            .and_then(|()| fs::rename(&partial, &target));
        if let Err(error) = done {
            let _ = fs::remove_file(&partial);
            let _ = fs::remove_dir_all(target.with_extension(""));
            let _ = fs::remove_dir_all(backups.join(&ids.copy));
            return Err(HistoryError::io(partial)(error));
        }
        Ok(ids.copy)
    }
}

/// The ids of a session and of its copy.
pub(crate) struct Ids {
    session: String,
    pub(crate) copy: String,
    /// The message with which the copy ends.
    up_to: Option<String>,
    /// The new id of each message that is copied, by its old id. A progress line is not copied; its successors follow the
    /// message before it.
    messages: HashMap<String, String>,
    /// The id of the last message that is copied.
    last: String,
}

impl Ids {
    /// Gives the copy an id.
    pub(crate) fn new(session: &str, fork: &Fork) -> Self {
        let copy = mcp_agent::random_uuid();
        Self { session: session.to_owned(), copy, up_to: fork.up_to.clone(), messages: HashMap::new(), last: String::new() }
    }

    /// Gives a new id to the message in a line, unless the copy ends before it.
    pub(crate) fn add(&mut self, bytes: &[u8]) {
        if self.up_to.as_ref() == Some(&self.last) {
            return;
        }
        let Some(fields) = message_of(bytes) else { return };
        let uuid = text(&fields, "uuid");
        if fields["type"] == "progress" {
            let before = self.messages.get(text(&fields, "parentUuid")).cloned();
            self.messages.extend(before.map(|before| (uuid.to_owned(), before)));
            return;
        }
        self.messages.insert(uuid.to_owned(), mcp_agent::random_uuid());
        uuid.clone_into(&mut self.last);
    }

    /// Fails if the message with which the copy ends was not among the lines.
    pub(crate) fn check(&self) -> Result<(), HistoryError> {
        match &self.up_to {
            Some(uuid) if *uuid != self.last => Err(HistoryError::MessageNotFound { uuid: uuid.clone() }),
            _ => Ok(()),
        }
    }

    fn write(&self, from: &Path, to: &Path, title: &str) -> io::Result<()> {
        let mut writer = BufWriter::new(sys::create_private_file(to)?);
        line::each(from, |bytes| match self.copied(bytes) {
            Some(line) => writeln!(writer, "{line}"),
            None => Ok(()),
        })?;
        writeln!(writer, "{}", self.title(title))?;
        writer.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()
    }

    /// Returns the line with the title of the copy.
    pub(crate) fn title(&self, title: &str) -> Value {
        json!({
            "type": "custom-title", "sessionId": self.copy, "customTitle": title,
            "uuid": mcp_agent::random_uuid(), "timestamp": Utc::now().to_rfc3339_opts(SecondsFormat::Millis, true),
        })
    }

    /// Returns a line of the copy, or `None` if the line is not copied.
    pub(crate) fn copied(&self, bytes: &[u8]) -> Option<String> {
        let mut fields = match message_of(bytes) {
            Some(fields) => self.message(fields)?,
            None => self.setting(bytes)?,
        };
        for (name, value) in &mut fields {
            // What the model and its tools wrote is not changed.
            if !matches!(name.as_str(), "message" | "toolUseResult" | "forkedFrom" | "requestSessionId") {
                self.replace(value);
            }
        }
        let line = Value::Object(fields).to_string();
        // The texts about large tool results have the path of the file.
        let path = |session: &str, separator: &str| format!("{session}{separator}tool-results");
        let line = line.replace(&path(&self.session, "/"), &path(&self.copy, "/"));
        Some(line.replace(&path(&self.session, r"\\"), &path(&self.copy, r"\\")))
    }

    fn message(&self, mut fields: Map<String, Value>) -> Option<Map<String, Value>> {
        let uuid = text(&fields, "uuid").to_owned();
        if fields["type"] == "progress" || !self.messages.contains_key(&uuid) {
            return None;
        }
        if uuid == self.last {
            fields.insert("timestamp".into(), Utc::now().to_rfc3339_opts(SecondsFormat::Millis, true).into());
        }
        if fields["type"] == "assistant" {
            let from = fields.get("forkedFrom").and_then(|from| from.get("sessionId")).cloned();
            fields.entry("requestSessionId").or_insert(from.unwrap_or_else(|| self.session.clone().into()));
        }
        fields.insert("forkedFrom".into(), json!({"sessionId": self.session, "messageUuid": uuid}));
        for process in ["teamName", "agentName", "sessionKind", "slug"] {
            fields.remove(process);
        }
        self.drop_preserved(&mut fields);
        Some(fields)
    }

    /// Removes the list of messages that a compaction kept, if the copy ends with the summary and so does not contain them.
    fn drop_preserved(&self, fields: &mut Map<String, Value>) {
        let Some(metadata) = fields.get_mut("compactMetadata").and_then(Value::as_object_mut) else { return };
        for name in ["preservedMessages", "preservedSegment"] {
            if metadata.get(name).is_some_and(|kept| kept["anchorUuid"] == self.last.as_str()) {
                metadata.remove(name);
            }
        }
    }

    fn setting(&self, bytes: &[u8]) -> Option<Map<String, Value>> {
        let fields: Map<String, Value> = serde_json::from_slice(bytes).ok()?;
        let kind = fields.get("type").and_then(Value::as_str)?;
        let is_copied =
            |name: &str| fields.get(name).and_then(Value::as_str).is_none_or(|id| self.messages.contains_key(id));
        // A snapshot of a prompt that is not copied could not be used.
        (KEPT.contains(&kind) && is_copied("messageId") && is_copied("snapshotMessageId")).then_some(fields)
    }

    /// Replaces every id of the session and of its messages.
    fn replace(&self, value: &mut Value) {
        match value {
            Value::String(id) if *id == self.session => id.clone_from(&self.copy),
            Value::String(id) => {
                if let Some(new) = self.messages.get(id) {
                    id.clone_from(new);
                }
            }
            Value::Array(values) => values.iter_mut().for_each(|value| self.replace(value)),
            Value::Object(fields) => fields.values_mut().for_each(|value| self.replace(value)),
            _ => {}
        }
    }
}

/// Returns the fields of a line of the main conversation.
fn message_of(bytes: &[u8]) -> Option<Map<String, Value>> {
    let fields: Map<String, Value> = serde_json::from_slice(bytes).ok()?;
    let is_linked = matches!(text(&fields, "type"), "user" | "assistant" | "system" | "attachment" | "progress");
    let is_own = fields.get("isSidechain") != Some(&Value::Bool(true)) && !text(&fields, "uuid").is_empty();
    (is_linked && is_own).then_some(fields)
}

fn text<'a>(fields: &'a Map<String, Value>, name: &str) -> &'a str {
    fields.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// Copies the files of a directory. A directory that does not exist has none.
fn copy_files(from: &Path, to: &Path) -> io::Result<()> {
    let entries = match fs::read_dir(from) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    fs::create_dir_all(to)?;
    for entry in entries {
        let entry = entry?;
        // Links are not followed: these directories contain none.
        if entry.file_type()?.is_file() {
            fs::copy(entry.path(), to.join(entry.file_name()))?;
        }
    }
    Ok(())
}
