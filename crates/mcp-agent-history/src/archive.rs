//! The mark of archived sessions: the file `<session>/archived.json` beside the transcript.

use std::fs::{self, File};
use std::io::{self, BufReader};
use std::path::Path;

use chrono::{DateTime, SecondsFormat, Utc};
use mcp_agent::Message;
use serde::{Deserialize, Serialize};

use crate::error::HistoryError;
use crate::history::History;
use crate::line::{self, Line};

/// The longest mark that is read, in bytes.
const LIMIT: u64 = 4096;

#[derive(Serialize, Deserialize)]
struct Mark {
    archived: bool,
    at: DateTime<Utc>,
}

/// # Archive
impl History {
    /// Marks a session as archived. It stays on disk and is still listed, with `archived: Some(true)`. A prompt that is sent in
    /// it later removes the mark.
    ///
    /// The transcript is not changed, so a running session can be archived too.
    ///
    /// # Errors
    /// If the session does not exist, or the mark cannot be written.
    pub fn archive(&self, id: &str) -> Result<(), HistoryError> {
        set(&self.file(id)?, true)
    }

    /// Removes the mark of an archived session.
    ///
    /// # Errors
    /// If the session does not exist, or the mark cannot be written.
    pub fn unarchive(&self, id: &str) -> Result<(), HistoryError> {
        set(&self.file(id)?, false)
    }
}

fn set(transcript: &Path, archived: bool) -> Result<(), HistoryError> {
    let folder = transcript.with_extension("");
    let path = folder.join("archived.json");
    let mark = format!(r#"{{"archived":{archived},"at":"{}"}}"#, Utc::now().to_rfc3339_opts(SecondsFormat::Millis, true));
    fs::create_dir_all(&folder).and_then(|()| fs::write(&path, mark)).map_err(HistoryError::io(path))
}

/// Returns whether a session is archived, or `None` if it never was.
pub(crate) fn state(transcript: &Path) -> Option<bool> {
    let path = transcript.with_extension("").join("archived.json");
    if fs::metadata(&path).ok()?.len() > LIMIT {
        return None;
    }
    let mark: Mark = serde_json::from_slice(&fs::read(path).ok()?).ok()?;
    Some(mark.archived && !has_prompt_after(transcript, mark.at).unwrap_or(false))
}

/// Returns whether a prompt was sent after this time.
fn has_prompt_after(transcript: &Path, time: DateTime<Utc>) -> io::Result<bool> {
    // A file that was not written since then has no such prompt.
    if DateTime::<Utc>::from(fs::metadata(transcript)?.modified()?) < time {
        return Ok(false);
    }
    let mut reader = BufReader::new(File::open(transcript)?);
    while let Some(line) = line::next(&mut reader, 1 << 20)? {
        if let Line::Whole(bytes) = line
            && is_prompt_after(&bytes, time)
        {
            return Ok(true);
        }
    }
    Ok(false)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PromptLine {
    timestamp: DateTime<Utc>,
    #[serde(default)]
    is_meta: bool,
    #[serde(default)]
    is_sidechain: bool,
    #[serde(default)]
    is_compact_summary: bool,
}

fn is_prompt_after(bytes: &[u8], time: DateTime<Utc>) -> bool {
    let Ok(line) = serde_json::from_slice::<PromptLine>(bytes) else { return false };
    let by_user = !line.is_meta && !line.is_sidechain && !line.is_compact_summary;
    line.timestamp > time
        && by_user
        && matches!(serde_json::from_slice(bytes), Ok(Message::User(user)) if user.message.content.tool_results().next().is_none())
}
