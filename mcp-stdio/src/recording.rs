//! What is said while a server serves, written down: `MCP_RECORD=file`.

use std::env;
use std::fs::File;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use serde_json::json;
use serde_json::value::RawValue;

use mcp_lines::{Line, Lines};

use crate::sys::create_private_file;

/// The variable that names the file.
const VARIABLE: &str = "MCP_RECORD";

/// Lines that are longer are not kept, only their length.
const LONGEST: usize = 64 << 20;

/// A record of a conversation, one line of JSON for each message: when, from whom, what.
///
/// `mcp-test` has such conversations again. The file is for its owner only, since it holds all that tools are told and say.
#[derive(Debug)]
pub(crate) struct Recorder(Mutex<RecordingState>);

#[derive(Debug)]
struct RecordingState {
    file: File,
    begin: Instant,
    client: Lines,
    server: Lines,
}

/// Who says something.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Sender {
    Client,
    Server,
}

impl Recorder {
    /// The tape that the environment asks for, if it does.
    pub(crate) fn from_environment() -> io::Result<Option<Arc<Recorder>>> {
        let Some(path) = env::var_os(VARIABLE).filter(|path| !path.is_empty()) else {
            return Ok(None);
        };
        Ok(Some(Arc::new(Recorder::new(create_private_file(path.as_ref())?))))
    }

    fn new(file: File) -> Recorder {
        Recorder(Mutex::new(RecordingState {
            file,
            begin: Instant::now(),
            client: Lines::new(LONGEST),
            server: Lines::new(LONGEST),
        }))
    }

    /// Keeps what came or is about to leave, in chunks of any size.
    pub(crate) fn record(&self, sender: Sender, mut chunk: &[u8]) {
        let mut reel = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let RecordingState { file, begin, client, server } = &mut *reel;
        let (name, lines) = match sender {
            Sender::Client => ("client", client),
            Sender::Server => ("server", server),
        };
        let ms = begin.elapsed().as_micros() as f64 / 1000.0;
        while let Some(line) = lines.next(&mut chunk) {
            let written = write_line(file, ms, name, line);
            if let Err(error) = written {
                tracing::warn!(%error, "the record of this conversation cannot be written");
            }
        }
    }
}

fn write_line(file: &mut File, ms: f64, sender: &str, line: Line<'_>) -> io::Result<()> {
    let head = format!("{{\"ms\":{ms},\"from\":\"{sender}\",");
    let rest = match line {
        // Word for word: the order of keys and the way numbers are written may be what one looks for.
        Line::Whole(line) => match serde_json::from_slice::<&RawValue>(line) {
            Ok(message) => format!("\"message\":{message}}}\n"),
            Err(_) => format!("\"text\":{}}}\n", json!(String::from_utf8_lossy(line))),
        },
        Line::TooLong { length, .. } => format!("\"length\":{length}}}\n"),
    };
    // In one piece, so that a process that is killed leaves whole lines.
    file.write_all(format!("{head}{rest}").as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_kept_word_for_word_and_in_order_however_they_are_cut() {
        let path = env::temp_dir().join(format!("mcp-recorder-{}", std::process::id()));
        let recorder = Recorder::new(File::create(&path).unwrap());
        recorder.record(Sender::Client, b"{\"id\":1.0,");
        recorder.record(Sender::Server, b"{\"z\":1,\"a\":2}\n");
        recorder.record(Sender::Client, b"\"b\":2}\nno json\n");
        let kept = std::fs::read_to_string(&path).unwrap();
        std::fs::remove_file(path).unwrap();
        let said: Vec<&str> = kept.lines().map(|line| line.split_once(",\"from\":").unwrap().1).collect();
        assert_eq!(
            said,
            [
                r#""server","message":{"z":1,"a":2}}"#,
                r#""client","message":{"id":1.0,"b":2}}"#,
                r#""client","text":"no json"}"#
            ]
        );
    }
}
