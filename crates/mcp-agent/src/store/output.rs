//! The output of a CLI whose transcript is copied to a store.

use std::io;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;
use tokio::sync::mpsc;

use super::mirror::{Lost, Mirror};
use super::{Flush, SessionKey, SessionStore, StoredLine};
use crate::transport::{Output, Pending};

/// Takes the lines of transcripts out of the output of a CLI and sends them to a store.
pub(crate) struct Mirrored {
    output: Box<dyn Output>,
    mirror: Mirror,
    lost: mpsc::UnboundedReceiver<Lost>,
    /// The project of all keys, if the caller chose one.
    project: Option<String>,
    /// What was read and not returned yet, so that a dropped future loses nothing.
    pending: Option<Step>,
    ended: bool,
}

/// What remains to be done before the next line is read.
#[derive(Debug)]
enum Step {
    /// Send these lines to the store.
    Append(SessionKey, Vec<StoredLine>),
    /// Wait for the store, then return the line. `None` is the end of output.
    Flush(Option<Vec<u8>>),
}

#[derive(Deserialize)]
struct Frame<'a> {
    #[serde(rename = "type")]
    kind: &'a str,
    #[serde(rename = "filePath", default)]
    file_path: Option<String>,
    #[serde(borrow, default)]
    entries: Vec<&'a RawValue>,
}

impl Mirrored {
    pub(crate) fn new(output: Box<dyn Output>, store: Arc<dyn SessionStore>, flush: Flush, project: Option<String>) -> Self {
        let (mirror, lost) = Mirror::start(store, flush);
        Self { output, mirror, lost, project, pending: None, ended: false }
    }

    async fn next(&mut self) -> io::Result<Option<Vec<u8>>> {
        loop {
            if let Some(done) = self.finish_step().await {
                return Ok(done);
            }
            if let Ok(lost) = self.lost.try_recv() {
                return Ok(Some(report(&lost)));
            }
            if self.ended {
                return Ok(None);
            }
            let line = tokio::select! {
                Some(lost) = self.lost.recv() => return Ok(Some(report(&lost))),
                line = self.output.receive() => line?,
            };
            self.pending = Some(match line {
                None => Step::Flush(None),
                Some(line) => match self.step(&line) {
                    Some(step) => step,
                    None => return Ok(Some(line)),
                },
            });
        }
    }

    /// Does what remains to be done. Returns the line that was held back for it.
    async fn finish_step(&mut self) -> Option<Option<Vec<u8>>> {
        match &self.pending {
            None => return None,
            Some(Step::Append(key, lines)) => {
                self.mirror.append(key.clone(), lines.clone()).await;
                self.pending = None;
                return None;
            }
            Some(Step::Flush(_)) => self.mirror.flush().await,
        }
        // Lines that were lost are reported before the line that was held back.
        if let Ok(lost) = self.lost.try_recv() {
            return Some(Some(report(&lost)));
        }
        match self.pending.take() {
            Some(Step::Flush(Some(line))) => Some(Some(line)),
            _ => {
                self.ended = true;
                Some(None)
            }
        }
    }

    /// Returns what to do with a line, or `None` if it is returned as it is.
    fn step(&self, line: &[u8]) -> Option<Step> {
        let text = String::from_utf8_lossy(line);
        // Most lines are neither, and are not parsed here.
        if !text.contains("\"transcript_mirror\"") && !text.contains("\"result\"") {
            return None;
        }
        let frame: Frame<'_> = serde_json::from_str(&text).ok()?;
        match frame.kind {
            "result" => Some(Step::Flush(Some(line.to_vec()))),
            "transcript_mirror" => {
                let key = self.key(&frame.file_path?)?;
                let lines = frame.entries.iter().filter_map(|entry| StoredLine::parse(entry.get()).ok()).collect();
                Some(Step::Append(key, lines))
            }
            _ => None,
        }
    }

    /// Returns the key of a transcript file. Its path is that of the machine that the CLI runs on:
    /// `.../projects/<project>/<session>.jsonl`.
    fn key(&self, file: &str) -> Option<SessionKey> {
        let parts: Vec<&str> = file.split(['/', '\\']).collect();
        let projects = parts.iter().rposition(|part| *part == "projects");
        let Some(key) = projects.and_then(|at| SessionKey::of_parts(&parts[at + 1..])) else {
            tracing::warn!(file, "not a transcript in a directory of projects: it is not sent to the session store");
            return None;
        };
        Some(SessionKey { project: self.project.clone().unwrap_or(key.project), ..key })
    }
}

/// Returns the message that reports lost lines.
fn report(lost: &Lost) -> Vec<u8> {
    let SessionKey { project, session, subpath } = &lost.key;
    let mut key = json!({"projectKey": project, "sessionId": session});
    if let Some(subpath) = subpath {
        key["subpath"] = json!(subpath);
    }
    let message = json!({
        "type": "system", "subtype": "mirror_error", "error": lost.error, "key": key,
        "uuid": crate::uuid::random(), "session_id": session,
    });
    message.to_string().into_bytes()
}

impl Output for Mirrored {
    fn receive(&mut self) -> Pending<'_, io::Result<Option<Vec<u8>>>> {
        Box::pin(self.next())
    }
}
