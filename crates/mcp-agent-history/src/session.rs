//! A session, by what can be known without reading it whole.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use mcp_agent::Message;

use crate::line::{self, Line};
use crate::record::Head;

/// How much of the beginning and of the end of a file is looked at.
const WINDOW: u64 = 64 << 10;

/// A session, by what the beginning and the end of its file say.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct SessionInfo {
    /// Its id.
    pub id: String,
    /// Its file.
    pub path: PathBuf,
    /// The directory in which it worked.
    pub cwd: Option<String>,
    /// Its title: one that somebody gave it, else one that was made up, else a summary.
    pub title: Option<String>,
    /// Its tag.
    pub tag: Option<String>,
    /// What was said first.
    pub first_prompt: Option<String>,
    /// When it began, in ISO 8601.
    pub created: Option<String>,
    /// When it was last written to.
    pub modified: SystemTime,
    /// How many bytes it has.
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
            // The first line there is the end of one.
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
            // The last line of the window may be cut off; then it cannot be read, and another one says as much.
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
        // Of what may be said several times the last counts.
        self.custom_title = head.custom_title.or(self.custom_title.take());
        self.ai_title = head.ai_title.or(self.ai_title.take());
        self.summary = head.summary.or(self.summary.take());
        if head.kind.as_deref() == Some("tag") {
            self.tag = head.tag.or(self.tag.take());
        }
    }
}

/// The text of a prompt; a tool's result is none.
fn prompt(bytes: &[u8]) -> Option<String> {
    match serde_json::from_slice::<Message>(bytes).ok()? {
        Message::User(user) => user.message.content.text().map(str::to_owned).filter(|text| !text.is_empty()),
        _ => None,
    }
}
