//! The description of a session, read from the two ends of its file.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use mcp_agent::Message;

use crate::line::{self, Line};
use crate::record::Head;

/// How many bytes are read at the beginning and at the end of a file.
const WINDOW: u64 = 64 << 10;

/// The description of a session, read from the beginning and the end of its file.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct SessionInfo {
    /// The id of the session.
    pub id: String,
    /// The path of its file.
    pub path: PathBuf,
    /// Its working directory.
    pub cwd: Option<String>,
    /// Its title: the one that the user set, else a generated one, else a summary.
    pub title: Option<String>,
    /// Its tag.
    pub tag: Option<String>,
    /// The text of the first prompt.
    pub first_prompt: Option<String>,
    /// The time of the first message, in ISO 8601.
    pub created: Option<String>,
    /// The modification time of the file.
    pub modified: SystemTime,
    /// The size of the file in bytes.
    pub size: u64,
}

impl SessionInfo {
    pub(crate) fn of_file(path: &Path) -> io::Result<Self> {
        let mut file = File::open(path)?;
        let metadata = file.metadata()?;
        let mut known = Known::default();
        known.feed(BufReader::new((&mut file).take(WINDOW)), false)?;
        if metadata.len() > WINDOW {
            let start = metadata.len().saturating_sub(WINDOW).max(WINDOW);
            file.seek(SeekFrom::Start(start))?;
            // Reading starts in the middle of a line, so this incomplete line is skipped.
            known.feed(BufReader::new(file.take(WINDOW)), start > WINDOW)?;
        }
        let id = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        Ok(Self {
            id,
            path: path.to_owned(),
            cwd: known.cwd,
            title: known.custom_title.or(known.ai_title).or(known.summary),
            tag: known.tag.filter(|tag| !tag.is_empty()),
            first_prompt: known.first_prompt,
            created: known.created,
            modified: metadata.modified()?,
            size: metadata.len(),
        })
    }
}

#[derive(Default)]
struct Known {
    cwd: Option<String>,
    custom_title: Option<String>,
    ai_title: Option<String>,
    summary: Option<String>,
    tag: Option<String>,
    first_prompt: Option<String>,
    created: Option<String>,
}

impl Known {
    fn feed(&mut self, mut reader: impl BufRead, skip: bool) -> io::Result<()> {
        if skip {
            line::next(&mut reader, 0)?;
        }
        while let Some(line) = line::next(&mut reader, usize::try_from(WINDOW).unwrap_or(usize::MAX))? {
            // The last line of the window may be incomplete. It then does not parse and is skipped.
            if let Line::Whole(bytes) = line
                && let Ok(head) = serde_json::from_slice::<Head>(&bytes)
            {
                self.line(head, &bytes);
            }
        }
        Ok(())
    }

    fn line(&mut self, head: Head, bytes: &[u8]) {
        let is_prompt = head.kind.as_deref() == Some("user") && head.is_meta != true && head.is_sidechain != true;
        if is_prompt && self.first_prompt.is_none() {
            self.first_prompt = prompt(bytes);
        }
        self.cwd = self.cwd.take().or(head.cwd);
        self.created = self.created.take().or(head.timestamp);
        // These fields can occur several times. The last one is valid.
        self.custom_title = head.custom_title.or(self.custom_title.take());
        self.ai_title = head.ai_title.or(self.ai_title.take());
        self.summary = head.summary.or(self.summary.take());
        if head.kind.as_deref() == Some("tag") {
            self.tag = head.tag.or(self.tag.take());
        }
    }
}

/// Returns the text of a prompt, or `None` if the line is not a prompt with text.
fn prompt(bytes: &[u8]) -> Option<String> {
    match serde_json::from_slice::<Message>(bytes).ok()? {
        Message::User(user) => user.message.content.text().map(str::to_owned).filter(|text| !text.is_empty()),
        _ => None,
    }
}
