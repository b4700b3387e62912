//! Records all messages in a file: `MCP_RECORD=file`.

use std::env;
use std::fs::File;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use serde_json::json;
use serde_json::value::RawValue;

use mcp_lines::{Line, Lines};

use crate::sys::create_private_file;

/// The environment variable with the path of the file.
const VARIABLE: &str = "MCP_RECORD";

/// Maximum length of a recorded line. Of longer lines only the length is recorded.
const MAX_LINE: usize = 64 << 20;

/// Writes one line of JSON for each message: the time, the sender and the message.
///
/// `mcp-test` replays such files. Only the owner may read the file, because it contains the arguments and results of all calls.
#[derive(Debug)]
pub(crate) struct Recorder(Mutex<RecordingState>);

#[derive(Debug)]
struct RecordingState {
    /// The file with the recording. `None` after a failed write.
    file: Option<File>,
    begin: Instant,
    client: Lines,
    server: Lines,
}

/// The sender of a message.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Sender {
    Client,
    Server,
}

impl Recorder {
    /// Creates the file if the environment variable is set.
    pub(crate) fn from_environment() -> io::Result<Option<Arc<Recorder>>> {
        let Some(path) = env::var_os(VARIABLE).filter(|path| !path.is_empty()) else {
            return Ok(None);
        };
        let file = create_private_file(path.as_ref()).map_err(|error| {
            let path = path.display();
            io::Error::new(error.kind(), format!("cannot create the recording `{path}`, which {VARIABLE} names: {error}"))
        })?;
        Ok(Some(Arc::new(Recorder::new(file))))
    }

    fn new(file: File) -> Recorder {
        Recorder(Mutex::new(RecordingState {
            file: Some(file),
            begin: Instant::now(),
            client: Lines::new(MAX_LINE),
            server: Lines::new(MAX_LINE),
        }))
    }

    /// Records a chunk of any size that was read, or that is about to be written.
    pub(crate) fn record(&self, sender: Sender, mut chunk: &[u8]) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let RecordingState { file, begin, client, server } = &mut *state;
        let (name, lines) = match sender {
            Sender::Client => ("client", client),
            Sender::Server => ("server", server),
        };
        let ms = begin.elapsed().as_micros() as f64 / 1000.0;
        while let Some(line) = lines.next(&mut chunk) {
            let Some(open) = file else { return };
            if let Err(error) = write_line(open, ms, name, line) {
                // A recording with gaps would be replayed as if it were complete.
                tracing::warn!(%error, "cannot write the recording: the recording ends here");
                *file = None;
            }
        }
    }
}

fn write_line(file: &mut File, ms: f64, sender: &str, line: Line<'_>) -> io::Result<()> {
    let head = format!("{{\"ms\":{ms},\"from\":\"{sender}\",");
    let rest = match line {
        // Unchanged: the order of keys or the notation of numbers may matter.
        Line::Whole(line) => match serde_json::from_slice::<&RawValue>(line) {
            Ok(message) => format!("\"message\":{message}}}\n"),
            Err(_) => format!("\"text\":{}}}\n", json!(String::from_utf8_lossy(line))),
        },
        Line::TooLong { length, .. } => format!("\"length\":{length}}}\n"),
    };
    // In one write, so that a killed process leaves whole lines.
    file.write_all(format!("{head}{rest}").as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_recorded_unchanged_and_in_order_in_chunks_of_any_size() {
        let path = env::temp_dir().join(format!("mcp-recorder-{}", std::process::id()));
        let recorder = Recorder::new(File::create(&path).unwrap());
        recorder.record(Sender::Client, b"{\"id\":1.0,");
        recorder.record(Sender::Server, b"{\"z\":1,\"a\":2}\n");
        recorder.record(Sender::Client, b"\"b\":2}\nno json\n");
        let kept = std::fs::read_to_string(&path).unwrap();
        std::fs::remove_file(path).unwrap();
        let messages: Vec<&str> = kept.lines().map(|line| line.split_once(",\"from\":").unwrap().1).collect();
        assert_eq!(
            messages,
            [
                r#""server","message":{"z":1,"a":2}}"#,
                r#""client","message":{"id":1.0,"b":2}}"#,
                r#""client","text":"no json"}"#
            ]
        );
    }
}
