//! Reads the standard error of the child and keeps its end.

use std::collections::VecDeque;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use mcp_lines::{Line, Lines};
use tokio::io::AsyncReadExt;
use tokio::process::ChildStderr;
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// How many bytes are kept.
const TAIL_BYTES: usize = 8 << 10;

/// How long to read on after the child has exited, if another process holds the pipe open.
const READ_AFTER_EXIT: Duration = Duration::from_millis(200);

/// The longest line that is passed to a listener.
const LINE_LIMIT: usize = 1 << 20;

/// The callback for lines of the standard error.
#[derive(Clone)]
pub(super) struct Listener(pub(super) Arc<dyn Fn(&str) + Send + Sync>);

impl fmt::Debug for Listener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Listener(..)")
    }
}

/// A task that reads the standard error to its end, so that the child never blocks on a full pipe.
pub(super) struct Stderr {
    reader: JoinHandle<()>,
    tail: Arc<Mutex<Tail>>,
}

impl Stderr {
    pub(super) fn drain(stderr: ChildStderr, listener: Option<Listener>) -> Self {
        let tail = Arc::new(Mutex::new(Tail::default()));
        let reader = tokio::spawn(read(stderr, listener, Arc::clone(&tail)));
        Self { reader, tail }
    }

    /// Returns the end of the standard error, after the child has exited.
    pub(super) async fn finish(mut self) -> String {
        if timeout(READ_AFTER_EXIT, &mut self.reader).await.is_err() {
            self.reader.abort();
        }
        self.tail.lock().unwrap_or_else(PoisonError::into_inner).text()
    }
}

async fn read(mut stderr: ChildStderr, mut listener: Option<Listener>, tail: Arc<Mutex<Tail>>) {
    let mut chunk = vec![0; 8 << 10];
    let mut lines = Lines::new(LINE_LIMIT);
    while let Ok(count @ 1..) = stderr.read(&mut chunk).await {
        tail.lock().unwrap_or_else(PoisonError::into_inner).push(&chunk[..count]);
        let mut unused = &chunk[..count];
        while let Some(line) = lines.next(&mut unused) {
            notify(&mut listener, line);
        }
    }
    if let Some(line) = lines.finish() {
        notify(&mut listener, line);
    }
}

/// Calls the listener. A listener that panics is not called again, and reading continues.
fn notify(listener: &mut Option<Listener>, line: Line<'_>) {
    // Lines over the limit are not passed on.
    let (Some(Listener(hear)), Line::Whole(line)) = (&listener, line) else { return };
    let text = String::from_utf8_lossy(line);
    if catch_unwind(AssertUnwindSafe(|| hear(&text))).is_err() {
        tracing::warn!("the listener for the standard error of the claude CLI panicked; it is not called again");
        *listener = None;
    }
}

/// The last bytes of a stream.
#[derive(Debug, Default)]
struct Tail {
    bytes: VecDeque<u8>,
}

impl Tail {
    fn push(&mut self, bytes: &[u8]) {
        let bytes = &bytes[bytes.len().saturating_sub(TAIL_BYTES)..];
        let excess = (self.bytes.len() + bytes.len()).saturating_sub(TAIL_BYTES);
        self.bytes.drain(..excess);
        self.bytes.extend(bytes);
    }

    fn text(&self) -> String {
        // Drops the rest of a character whose first bytes were removed.
        let whole = self.bytes.iter().skip_while(|byte| self.bytes.len() == TAIL_BYTES && (**byte & 0xc0) == 0x80);
        String::from_utf8_lossy(&whole.copied().collect::<Vec<u8>>()).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_tail_is_the_end_of_all_bytes(
            chunks in prop::collection::vec((b'a'..=b'z', 0..6000_usize), 0..8),
        ) {
            let mut tail = Tail::default();
            let mut all = Vec::new();
            for (byte, count) in chunks {
                let chunk = vec![byte; count];
                tail.push(&chunk);
                all.extend(chunk);
            }
            let expected = &all[all.len().saturating_sub(TAIL_BYTES)..];
            prop_assert_eq!(tail.text().into_bytes(), expected);
        }
    }

    #[test]
    fn an_incomplete_character_at_the_start_is_dropped() {
        let mut tail = Tail::default();
        tail.push("é".repeat(TAIL_BYTES).as_bytes());
        tail.push(b"x");
        assert!(tail.text().starts_with('é'));
        assert!(tail.text().ends_with("éx"));
    }
}
