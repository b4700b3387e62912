//! A temporary file with the messages that do not fit in memory.

use std::fs::{self, File};
use std::io::{self, BufRead as _, BufReader, BufWriter, Write as _};
use std::path::PathBuf;

use crate::message::Message;
use crate::sys::private_file;
use crate::uuid;

/// A temporary file with messages, one per line: written at its end and read from its start.
#[derive(Debug)]
pub(super) struct SpillFile {
    path: PathBuf,
    writer: BufWriter<File>,
    reader: BufReader<File>,
    /// How many messages were written and not read.
    waiting: usize,
    written: u64,
}

impl SpillFile {
    pub(super) fn create() -> io::Result<Self> {
        let path = std::env::temp_dir().join(format!("mcp-agent-unread-{}.jsonl", uuid::random()));
        let writer = BufWriter::new(private_file().open(&path)?);
        let reader = BufReader::new(File::open(&path)?);
        Ok(Self { path, writer, reader, waiting: 0, written: 0 })
    }

    pub(super) fn write(&mut self, message: &Message) -> io::Result<()> {
        // A line of the CLI has no line break, so a message has none either.
        let text = message.raw().get();
        self.writer.write_all(text.as_bytes())?;
        self.writer.write_all(b"\n")?;
        self.waiting += 1;
        self.written += text.len() as u64 + 1;
        Ok(())
    }

    pub(super) fn read(&mut self) -> io::Result<Option<Message>> {
        if self.waiting == 0 {
            return Ok(None);
        }
        self.writer.flush()?;
        let mut line = String::new();
        self.reader.read_line(&mut line)?;
        self.waiting -= 1;
        serde_json::from_str(&line).map(Some).map_err(io::Error::other)
    }

    #[cfg(test)]
    pub(super) fn path(&self) -> &std::path::Path {
        &self.path
    }

    pub(super) fn waiting(&self) -> usize {
        self.waiting
    }

    pub(super) fn written(&self) -> u64 {
        self.written
    }
}

impl Drop for SpillFile {
    fn drop(&mut self) {
        // If this fails, the system removes the file with its other temporary files.
        let _ = fs::remove_file(&self.path);
    }
}
