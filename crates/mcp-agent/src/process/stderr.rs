//! The child's standard error: always read, its tail kept.

use std::collections::VecDeque;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use mcp_stdio::{Line, Lines};
use tokio::io::AsyncReadExt;
use tokio::process::ChildStderr;
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// How much is kept.
const TAIL: usize = 8 << 10;

/// How long after the child's end its last words may take to arrive, when something else holds the pipe.
const LAST_WORDS: Duration = Duration::from_millis(200);

/// The longest line that a listener hears.
const LONGEST: usize = 1 << 20;

/// Who hears the lines.
#[derive(Clone)]
pub(super) struct Listener(pub(super) Arc<dyn Fn(&str) + Send + Sync>);

impl fmt::Debug for Listener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Listener(..)")
    }
}

/// A task that reads the standard error to its end, so that the child is never held up.
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

    /// The tail, after the child has ended.
    pub(super) async fn finish(mut self) -> String {
        if timeout(LAST_WORDS, &mut self.reader).await.is_err() {
            self.reader.abort();
        }
        self.tail.lock().unwrap_or_else(PoisonError::into_inner).text()
    }
}

async fn read(mut stderr: ChildStderr, mut listener: Option<Listener>, tail: Arc<Mutex<Tail>>) {
    let mut chunk = vec![0; 8 << 10];
    let mut lines = Lines::new(LONGEST);
    while let Ok(count @ 1..) = stderr.read(&mut chunk).await {
        tail.lock().unwrap_or_else(PoisonError::into_inner).push(&chunk[..count]);
        let mut unused = &chunk[..count];
        while let Some(line) = lines.next(&mut unused) {
            tell(&mut listener, line);
        }
    }
    if let Some(line) = lines.finish() {
        tell(&mut listener, line);
    }
}

/// A listener that panics is not called again; the reading goes on.
fn tell(listener: &mut Option<Listener>, line: Line<'_>) {
    // Of a line that is too long to be one, nothing is told.
    let (Some(Listener(hear)), Line::Whole(line)) = (&listener, line) else { return };
    let text = String::from_utf8_lossy(line);
    if catch_unwind(AssertUnwindSafe(|| hear(&text))).is_err() {
        tracing::warn!("the listener of the CLI's standard error panicked and is not called again");
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
        let bytes = &bytes[bytes.len().saturating_sub(TAIL)..];
        let excess = (self.bytes.len() + bytes.len()).saturating_sub(TAIL);
        self.bytes.drain(..excess);
        self.bytes.extend(bytes);
    }

    fn text(&self) -> String {
        // A character that was cut in two at the front is left out.
        let whole = self.bytes.iter().skip_while(|byte| self.bytes.len() == TAIL && (**byte & 0xc0) == 0x80);
        String::from_utf8_lossy(&whole.copied().collect::<Vec<u8>>()).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_tail_is_the_end_of_all_that_came(
            chunks in prop::collection::vec((b'a'..=b'z', 0..6000_usize), 0..8),
        ) {
            let mut tail = Tail::default();
            let mut all = Vec::new();
            for (byte, count) in chunks {
                let chunk = vec![byte; count];
                tail.push(&chunk);
                all.extend(chunk);
            }
            let expected = &all[all.len().saturating_sub(TAIL)..];
            prop_assert_eq!(tail.text().into_bytes(), expected);
        }
    }

    #[test]
    fn a_character_cut_in_two_is_left_out() {
        let mut tail = Tail::default();
        tail.push("é".repeat(TAIL).as_bytes());
        tail.push(b"x");
        assert!(tail.text().starts_with('é'));
        assert!(tail.text().ends_with("éx"));
    }
}
