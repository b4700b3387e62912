//! Recordings of real sessions, as written by `MCP_RECORD=file`.

use std::path::Path;
use std::{fmt, fs, io};

use mcp_core::IntoServer;
use serde::Deserialize;
use serde_json::Value;

use crate::difference::Difference;
use crate::replay::replay;

/// A recording of a session between a real client and a server, which a test replays against the current server.
///
/// `MCP_RECORD=talk.ndjson my-server` writes a recording, for any client. In a test, [`replay`](Recording::replay) sends the
/// client's messages again, in the same order and after the same responses, and compares the responses of the server:
///
/// ```no_run
/// # async fn test(server: mcp_core::Builder) {
/// let recording = mcp_test::Recording::read("tests/talk.ndjson".as_ref()).unwrap();
/// recording.replay(server).await.unwrap();
/// # }
/// ```
///
/// Responses and requests of the server are compared. Notifications are not, because the number of progress notifications
/// depends on timing. Use [`mask`](Recording::mask) for values that differ from run to run, such as times.
#[derive(Debug)]
pub struct Recording {
    pub(crate) messages: Vec<RecordedMessage>,
    pub(crate) mask: Option<fn(&mut Value)>,
}

/// A message of a recording.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RecordedMessage {
    /// The time in milliseconds since the server started to serve.
    pub ms: f64,
    /// Whether the client sent it. Otherwise the server did.
    pub from_client: bool,
    /// The text of the message, unchanged.
    pub text: String,
}

impl Recording {
    /// Reads a recording from a file.
    ///
    /// # Errors
    /// If the file cannot be read or is not a valid recording.
    pub fn read(path: &Path) -> Result<Recording, RecordingError> {
        Recording::parse(&fs::read_to_string(path).map_err(RecordingError::Read)?)
    }

    /// Reads a recording from its text.
    ///
    /// # Errors
    /// If the text is not a valid recording.
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
            // A line over the server's limit is recorded without its text. The server rejected it, as it rejects an empty
            // line.
            let text = wire.message.map(|message| message.get().to_owned()).or(wire.text).unwrap_or_default();
            Ok(RecordedMessage { ms: wire.ms, from_client: wire.from == "client", text })
        });
        Ok(Recording { messages: messages.collect::<Result<_, _>>()?, mask: None })
    }

    /// Returns the messages in order.
    pub fn messages(&self) -> &[RecordedMessage] {
        &self.messages
    }

    /// Sets a function that changes every response, recorded and new, before they are compared. Use it to overwrite values
    /// that differ from run to run.
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

    /// Sends the recorded messages of the client to a server and compares its responses.
    ///
    /// # Errors
    /// If any response or request of the server differs from the recording. The error lists all differences.
    ///
    /// # Panics
    /// If the server cannot be built.
    pub async fn replay(&self, server: impl IntoServer) -> Result<(), ReplayError> {
        let changed = replay(self, server).await;
        if changed.is_empty() { Ok(()) } else { Err(ReplayError { changed }) }
    }
}

/// An error of reading a recording.
#[derive(Debug)]
#[non_exhaustive]
pub enum RecordingError {
    /// The file cannot be read.
    Read(io::Error),
    /// A line does not have the format of a recording.
    Line {
        /// The line number, counted from 1.
        number: usize,
        /// The parse error.
        error: serde_json::Error,
    },
}

impl fmt::Display for RecordingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecordingError::Read(_) => f.write_str("cannot read the recording"),
            RecordingError::Line { number, .. } => write!(f, "line {number} of the recording is invalid"),
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

/// The error of a replay: messages of the server differ from the recording.
#[derive(Debug)]
pub struct ReplayError {
    changed: Vec<ChangedMessage>,
}

/// A response or request of the server that differs from the recording.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ChangedMessage {
    /// The text of the request: of the client if a response differs, or of the server if its own request differs.
    pub request: String,
    /// The differences. Empty if the server did not send the message in time.
    pub differences: Vec<Difference>,
}

impl ReplayError {
    /// Returns the messages that differ from the recording.
    pub fn changed(&self) -> &[ChangedMessage] {
        &self.changed
    }
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "messages of the server that differ from the recording: {}", self.changed.len())?;
        for ChangedMessage { request, differences } in &self.changed {
            write!(f, "\nrequest: {request}")?;
            if differences.is_empty() {
                write!(f, "\n  the server did not send it in time")?;
            }
            differences.iter().try_for_each(|one| write!(f, "\n  {one}"))?;
        }
        Ok(())
    }
}

impl std::error::Error for ReplayError {}
