//! Changes sessions on disk: title, tag, deletion.

use std::fs::{self, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use serde_json::{Value, json};

use crate::error::HistoryError;
use crate::history::History;

/// Changes. All of them fail with [`HistoryError::Running`] while a CLI process runs the session.
impl History {
    /// Sets the title of a session.
    ///
    /// # Errors
    /// If the session does not exist, is running, or its file cannot be written.
    pub fn rename(&self, id: &str, title: &str) -> Result<(), HistoryError> {
        self.append(id, &title_line(id, title))
    }

    /// Sets the tag of a session. `None` removes the tag.
    ///
    /// # Errors
    /// If the session does not exist, is running, or its file cannot be written.
    pub fn tag(&self, id: &str, tag: Option<&str>) -> Result<(), HistoryError> {
        self.append(id, &tag_line(id, tag))
    }

    /// Deletes a session and its other files: transcripts of sub-agents, large tool results, file backups and its environment.
    ///
    /// # Errors
    /// If the session does not exist, is running, or cannot be deleted.
    pub fn delete(&self, id: &str) -> Result<(), HistoryError> {
        let path = self.file_to_change(id)?;
        let folders =
            [path.with_extension(""), self.claude.join("file-history").join(id), self.claude.join("session-env").join(id)];
        // The transcript is deleted last: until then the session is still listed, and can be deleted again after an error.
        for folder in folders {
            match fs::remove_dir_all(&folder) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(HistoryError::io(folder)(error)),
                _ => {}
            }
        }
        fs::remove_file(&path).map_err(HistoryError::io(path))
    }

    fn append(&self, id: &str, line: &Value) -> Result<(), HistoryError> {
        let path = self.file_to_change(id)?;
        append_line(&path, line).map_err(HistoryError::io(path))
    }
}

/// Returns the line of a session file that sets the title.
pub(crate) fn title_line(id: &str, title: &str) -> Value {
    json!({"type": "custom-title", "customTitle": title, "sessionId": id})
}

/// Returns the line that sets the tag of a session.
pub(crate) fn tag_line(id: &str, tag: Option<&str>) -> Value {
    json!({"type": "tag", "tag": tag.unwrap_or_default(), "sessionId": id})
}

/// Appends a line with a single write. Adds a line break first if the last line of the file has none. If the line cannot be
/// written as a whole, for example because the disk is full, the file is as before.
fn append_line(path: &Path, line: &Value) -> io::Result<()> {
    let mut file = OpenOptions::new().read(true).append(true).open(path)?;
    let mut bytes = Vec::new();
    let length = file.metadata()?.len();
    if length > 0 {
        let mut last = [0];
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last)?;
        if last != *b"\n" {
            bytes.push(b'\n');
        }
    }
    serde_json::to_writer(&mut bytes, line)?;
    bytes.push(b'\n');
    file.write_all(&bytes).inspect_err(|_| {
        // The error of the write is reported.
        let _ = file.set_len(length);
    })?;
    file.sync_data()
}
