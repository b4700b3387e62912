//! The description of a session, read from the two ends of its file.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use mcp_agent::store::SessionSummary;
use serde::Deserialize;

use crate::archive;
use crate::line::{self, Line};

/// How many bytes are read at the beginning and at the end of a file.
const WINDOW: u64 = 64 << 10;

/// The description of a session, read from the beginning and the end of its file.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct SessionInfo {
    /// The id of the session.
    pub id: String,
    /// The path of the file of the session.
    pub path: PathBuf,
    /// The working directory of the session.
    pub cwd: Option<String>,
    /// The title of the session: the one that the user set, else a generated one.
    pub title: Option<String>,
    /// The tag of the session.
    pub tag: Option<String>,
    /// The text of the first prompt, at most 200 characters of it.
    pub first_prompt: Option<String>,
    /// The time of the first message, in ISO 8601.
    pub created: Option<String>,
    /// The modification time of the file.
    pub modified: SystemTime,
    /// The size of the file in bytes.
    pub size: u64,
    /// Whether the session is archived. `None` if it never was.
    pub archived: Option<bool>,
    /// All metadata in the session file. It includes values that have no field above, such as the Git branch, the last
    /// prompt and a summary.
    pub summary: SessionSummary,
}

impl SessionInfo {
    /// Returns the text that a list of sessions shows, as the CLI chooses it: the title, else the last prompt, else a summary,
    /// else the first prompt.
    pub fn label(&self) -> Option<&str> {
        self.summary.label()
    }

    /// Returns whether a program or a daemon started it.
    pub fn is_programmatic(&self) -> bool {
        let entrypoint = self.summary.entrypoint.as_deref().unwrap_or_default();
        let kind = self.summary.session_kind.as_deref();
        entrypoint.starts_with("sdk-") || matches!(kind, Some("daemon" | "daemon-worker"))
    }

    /// Describes a file of sessions. Returns `None` for the transcript of a sub-agent.
    pub(crate) fn of_file(path: &Path) -> io::Result<Option<Self>> {
        let mut file = File::open(path)?;
        let metadata = file.metadata()?;
        let id = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let mut summary = SessionSummary::new(id);
        read(&mut summary, BufReader::new((&mut file).take(WINDOW)), false)?;
        let title = summary.custom_title.clone();
        if metadata.len() > WINDOW {
            summary.custom_title = None;
            // A prompt at the end of a long file is not the first one.
            let first = (summary.first_prompt.take(), summary.first_command.take());
            let start = metadata.len().saturating_sub(WINDOW).max(WINDOW);
            file.seek(SeekFrom::Start(start))?;
            // Reading starts in the middle of a line, so this incomplete line is skipped.
            read(&mut summary, BufReader::new(file.take(WINDOW)), start > WINDOW)?;
            (summary.first_prompt, summary.first_command) = first;
        }
        // A long session has its title in a file of its own too.
        summary.custom_title = summary.custom_title.take().or_else(|| title_beside(path)).or(title);
        if summary.is_sidechain == Some(true) {
            return Ok(None);
        }
        let modified = metadata.modified()?;
        Ok(Some(Self {
            id: summary.session_id.clone(),
            path: path.to_owned(),
            cwd: summary.cwd.clone(),
            title: summary.title().map(str::to_owned),
            tag: summary.tag.clone(),
            first_prompt: summary.first_prompt.clone(),
            created: summary.created.clone(),
            modified,
            size: metadata.len(),
            archived: archive::state(path),
            summary,
        }))
    }
}

fn read(summary: &mut SessionSummary, mut reader: impl BufRead, skip: bool) -> io::Result<()> {
    if skip {
        line::next(&mut reader, 0)?;
    }
    while let Some(line) = line::next(&mut reader, usize::try_from(WINDOW).unwrap_or(usize::MAX))? {
        // The last line of the window may be incomplete. It then does not parse and is skipped.
        if let Line::Whole(bytes) = line {
            summary.add(&String::from_utf8_lossy(&bytes));
        }
    }
    Ok(())
}

/// Returns the title in the file `<session>/custom-title.json`.
fn title_beside(path: &Path) -> Option<String> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Title {
        custom_title: String,
    }
    let text = std::fs::read(path.with_extension("").join("custom-title.json")).ok()?;
    let title: Title = serde_json::from_slice(&text).ok()?;
    Some(title.custom_title).filter(|title| !title.is_empty())
}
