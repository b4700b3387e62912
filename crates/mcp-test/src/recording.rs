//! Real traffic, to be had again: what `MCP_RECORD=file` wrote.

use std::path::Path;
use std::{fmt, fs, io};

use mcp_core::IntoServer;
use serde::Deserialize;
use serde_json::Value;

use crate::difference::Difference;
use crate::replay::replay;

/// A conversation that a server had with a real client, to be had again with the server as it is now.
///
/// `MCP_RECORD=talk.ndjson my-server` writes one, whatever client starts it. In a test, [`replay`](Recording::replay) sends
/// the client's messages again, in the same order and after the same answers, and compares what comes back:
///
/// ```no_run
/// # async fn test(server: mcp_core::Builder) {
/// let recording = mcp_test::Recording::read("tests/talk.ndjson".as_ref()).unwrap();
/// recording.replay(server).await.unwrap();
/// # }
/// ```
///
/// Answers and what the server asks its client are compared. Notifications are not: how often progress is reported depends
/// on the clock. What differs from run to run, such as times, is [masked](Recording::mask).
#[derive(Debug)]
pub struct Recording {
    pub(crate) messages: Vec<Spoken>,
    pub(crate) mask: Option<fn(&mut Value)>,
}

/// A message of a recording.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Spoken {
    /// When, in milliseconds since the server began to serve.
    pub ms: f64,
    /// Whether the client said it; else the server did.
    pub by_client: bool,
    /// What was said, word for word.
    pub text: String,
}

impl Recording {
    /// Reads a recording from a file.
    ///
    /// # Errors
    /// When it cannot be read, or is no recording.
    pub fn read(path: &Path) -> Result<Recording, RecordingError> {
        Recording::parse(&fs::read_to_string(path).map_err(RecordingError::Read)?)
    }

    /// Reads a recording from its text.
    ///
    /// # Errors
    /// When it is no recording.
    pub fn parse(text: &str) -> Result<Recording, RecordingError> {
        #[derive(Deserialize)]
        struct Wire<'a> {
            ms: f64,
            from: &'a str,
            #[serde(borrow)]
            message: Option<&'a serde_json::value::RawValue>,
            text: Option<String>,
        }
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let messages = lines.map(|(index, line)| {
            let wire: Wire<'_> =
                serde_json::from_str(line).map_err(|error| RecordingError::Line { number: index + 1, error })?;
            // What was too long to be kept was too long to be read: an empty line is as good.
            let text = wire.message.map(|message| message.get().to_owned()).or(wire.text).unwrap_or_default();
            Ok(Spoken { ms: wire.ms, by_client: wire.from == "client", text })
        });
        Ok(Recording { messages: messages.collect::<Result<_, _>>()?, mask: None })
    }

    /// What was said, in order.
    pub fn messages(&self) -> &[Spoken] {
        &self.messages
    }

    /// Changes every answer, recorded and new, before the two are compared: to blank out what differs from run to run.
    ///
    /// ```
    /// # use mcp_test::Recording;
    /// # let recording = Recording::parse("").unwrap();
    /// recording.mask(|answer| answer["result"]["structuredContent"]["time"] = "now".into());
    /// ```
    #[must_use]
    pub fn mask(mut self, mask: fn(&mut Value)) -> Recording {
        self.mask = Some(mask);
        self
    }

    /// Has the conversation again.
    ///
    /// # Errors
    /// Every answer that is another, with what differs.
    ///
    /// # Panics
    /// When the server cannot be built.
    pub async fn replay(&self, server: impl IntoServer) -> Result<(), ReplayError> {
        let differing = replay(self, server).await;
        if differing.is_empty() { Ok(()) } else { Err(ReplayError { differing }) }
    }
}

/// Why a recording cannot be read.
#[derive(Debug)]
#[non_exhaustive]
pub enum RecordingError {
    /// The file cannot be read.
    Read(io::Error),
    /// A line is not what a recorder writes.
    Line {
        /// Which one, counted from 1.
        number: usize,
        /// What is wrong with it.
        error: serde_json::Error,
    },
}

impl fmt::Display for RecordingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecordingError::Read(_) => f.write_str("the recording cannot be read"),
            RecordingError::Line { number, .. } => write!(f, "line {number} is not of a recording"),
        }
    }
}

impl std::error::Error for RecordingError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(match self {
            RecordingError::Read(error) => error,
            RecordingError::Line { error, .. } => error,
        })
    }
}

/// A server that answers otherwise than it did.
#[derive(Debug)]
pub struct ReplayError {
    differing: Vec<Differing>,
}

/// An answer that is another now.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Differing {
    /// To what: the client's message, or for what the server asks, that.
    pub to: String,
    /// In what; empty if there was no answer in time.
    pub differences: Vec<Difference>,
}

impl ReplayError {
    /// The answers that are others now.
    pub fn differing(&self) -> &[Differing] {
        &self.differing
    }
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} answers are not those of the recording", self.differing.len())?;
        for Differing { to, differences } in &self.differing {
            write!(f, "\nto {to}")?;
            if differences.is_empty() {
                write!(f, "\n  there was no answer")?;
            }
            differences.iter().try_for_each(|one| write!(f, "\n  {one}"))?;
        }
        Ok(())
    }
}

impl std::error::Error for ReplayError {}
