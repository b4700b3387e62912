//! Changes sessions on disk: title, tag, copy, deletion.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::error::HistoryError;
use crate::history::History;
use crate::line::{self, Line};

/// Changes. All of them fail with [`HistoryError::Running`] while a CLI process runs the session.
impl History {
    /// Sets the title of a session.
    ///
    /// # Errors
    /// If the session does not exist, is running, or its file cannot be written.
    pub fn rename(&self, id: &str, title: &str) -> Result<(), HistoryError> {
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct Title<'a> {
            r#type: &'static str,
            custom_title: &'a str,
            session_id: &'a str,
        }
        self.append(id, &Title { r#type: "custom-title", custom_title: title, session_id: id })
    }

    /// Sets the tag of a session. `None` removes the tag.
    ///
    /// # Errors
    /// If the session does not exist, is running, or its file cannot be written.
    pub fn tag(&self, id: &str, tag: Option<&str>) -> Result<(), HistoryError> {
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct Tag<'a> {
            r#type: &'static str,
            tag: &'a str,
            session_id: &'a str,
        }
        self.append(id, &Tag { r#type: "tag", tag: tag.unwrap_or_default(), session_id: id })
    }

    /// Copies a session and returns the id of the copy. With `up_to`, the copy ends with the message of that id.
    ///
    /// Every line of the copy has the session id of the copy. Lines that are not valid JSON are copied unchanged.
    ///
    /// # Errors
    /// If the session or the message does not exist, the session is running, or the copy cannot be written.
    pub fn fork(&self, id: &str, up_to: Option<&str>) -> Result<String, HistoryError> {
        let path = self.file_to_change(id)?;
        let copy = mcp_agent::random_uuid();
        let target = path.with_file_name(format!("{copy}.jsonl"));
        // Written under another name first, so that an incomplete copy is never listed as a session.
        let partial = path.with_file_name(format!("{copy}.partial"));
        let copied = copy_lines(&path, &partial, &copy, up_to)
            .and_then(|found| fs::rename(&partial, &target).map(|()| found))
            .map_err(HistoryError::io(&partial));
        match copied {
            Ok(true) => Ok(copy),
            Ok(false) => {
                let _ = fs::remove_file(&target);
                Err(HistoryError::MessageNotFound { uuid: up_to.unwrap_or_default().to_owned() })
            }
            Err(error) => {
                let _ = fs::remove_file(&partial);
                Err(error)
            }
        }
    }

    /// Deletes a session and its other files: transcripts of sub-agents and large tool results.
    ///
    /// # Errors
    /// If the session does not exist, is running, or cannot be deleted.
    pub fn delete(&self, id: &str) -> Result<(), HistoryError> {
        let path = self.file_to_change(id)?;
        let beside = path.with_extension("");
        match fs::remove_dir_all(&beside) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(HistoryError::io(beside)(error)),
            _ => {}
        }
        fs::remove_file(&path).map_err(HistoryError::io(path))
    }

    fn append(&self, id: &str, line: &impl Serialize) -> Result<(), HistoryError> {
        let path = self.file_to_change(id)?;
        append_line(&path, line).map_err(HistoryError::io(path))
    }
}

/// Appends a line with a single write. Adds a line break first if the last line of the file has none.
fn append_line(path: &Path, line: &impl Serialize) -> io::Result<()> {
    let mut file = OpenOptions::new().read(true).append(true).open(path)?;
    let mut bytes = Vec::new();
    if file.metadata()?.len() > 0 {
        let mut last = [0];
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last)?;
        if last != *b"\n" {
            bytes.push(b'\n');
        }
    }
    serde_json::to_writer(&mut bytes, line)?;
    bytes.push(b'\n');
    file.write_all(&bytes)?;
    file.sync_data()
}

/// Copies lines and replaces their session id. Returns true if the message `up_to` was found, or if it is `None`.
fn copy_lines(from: &Path, to: &Path, id: &str, up_to: Option<&str>) -> io::Result<bool> {
    let mut reader = BufReader::with_capacity(1 << 16, File::open(from)?);
    let mut writer = BufWriter::new(OpenOptions::new().write(true).create_new(true).open(to)?);
    let mut found = up_to.is_none();
    while let Some(line) = line::next(&mut reader, 64 << 20)? {
        let Line::Whole(bytes) = line else {
            // Without this line, the copy would be a different conversation.
            return Err(io::Error::new(io::ErrorKind::InvalidData, "cannot copy a line that is longer than 64 MiB"));
        };
        let mut is_last = false;
        match serde_json::from_slice::<Map<String, Value>>(&bytes) {
            Ok(mut fields) => {
                is_last = up_to.is_some() && fields.get("uuid").and_then(Value::as_str) == up_to;
                if fields.contains_key("sessionId") {
                    fields.insert("sessionId".to_owned(), id.into());
                }
                serde_json::to_writer(&mut writer, &fields)?;
            }
            Err(_) => writer.write_all(&bytes)?,
        }
        writer.write_all(b"\n")?;
        if is_last {
            found = true;
            break;
        }
    }
    writer.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
    Ok(found)
}
