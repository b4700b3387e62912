//! Sends lines to the store, in the order in which the CLI wrote them.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};

use super::{Flush, SessionKey, SessionStore, StoredLine};

/// The most lines and bytes that wait for the end of a turn.
const MAX_LINES: usize = 500;
const MAX_BYTES: usize = 1 << 20;

/// Time limit of an append.
const APPEND_TIMEOUT: Duration = Duration::from_secs(60);

/// Waiting times before an append is repeated.
const PAUSES: [Duration; 2] = [Duration::from_millis(200), Duration::from_millis(800)];

/// How many messages of the CLI may wait for the task. If the store is slower than the CLI, the session becomes as slow as the
/// store, so that memory does not grow without limit.
const QUEUE: usize = 1024;

/// Lines that were not stored.
#[derive(Debug)]
pub(crate) struct Lost {
    pub(crate) key: SessionKey,
    pub(crate) error: String,
}

/// The sending side of the task that appends lines.
#[derive(Debug, Clone)]
pub(crate) struct Mirror(mpsc::Sender<Command>);

#[derive(Debug)]
enum Command {
    Lines(SessionKey, Vec<StoredLine>),
    /// Sends all waiting lines, then reports.
    Flush(oneshot::Sender<()>),
}

impl Mirror {
    /// Starts the task. It ends when all clones are dropped and everything is sent.
    pub(crate) fn start(store: Arc<dyn SessionStore>, flush: Flush) -> (Self, mpsc::UnboundedReceiver<Lost>) {
        let (commands, receiver) = mpsc::channel(QUEUE);
        let (lost, reports) = mpsc::unbounded_channel();
        tokio::spawn(Task { store, flush, lost, waiting: VecDeque::new(), lines: 0, bytes: 0 }.run(receiver));
        (Self(commands), reports)
    }

    pub(crate) async fn append(&self, key: SessionKey, lines: Vec<StoredLine>) {
        // Fails only while the runtime shuts down.
        let _ = self.0.send(Command::Lines(key, lines)).await;
    }

    /// Waits until all lines so far are stored or lost.
    pub(crate) async fn flush(&self) {
        let (done, flushed) = oneshot::channel();
        if self.0.send(Command::Flush(done)).await.is_ok() {
            let _ = flushed.await;
        }
    }
}

struct Task {
    store: Arc<dyn SessionStore>,
    flush: Flush,
    lost: mpsc::UnboundedSender<Lost>,
    waiting: VecDeque<(SessionKey, Vec<StoredLine>)>,
    lines: usize,
    bytes: usize,
}

impl Task {
    async fn run(mut self, mut commands: mpsc::Receiver<Command>) {
        while let Some(command) = commands.recv().await {
            match command {
                Command::Lines(key, lines) => {
                    self.add(key, lines);
                    if self.flush == Flush::Eager || self.lines > MAX_LINES || self.bytes > MAX_BYTES {
                        self.send().await;
                    }
                }
                Command::Flush(done) => {
                    self.send().await;
                    let _ = done.send(());
                }
            }
        }
        self.send().await;
    }

    /// Adds lines to those of the same transcript. The order between transcripts does not matter.
    fn add(&mut self, key: SessionKey, lines: Vec<StoredLine>) {
        self.lines += lines.len();
        self.bytes += lines.iter().map(|line| line.as_str().len()).sum::<usize>();
        match self.waiting.iter_mut().find(|(waiting, _)| *waiting == key) {
            Some((_, waiting)) => waiting.extend(lines),
            None => self.waiting.push_back((key, lines)),
        }
    }

    async fn send(&mut self) {
        (self.lines, self.bytes) = (0, 0);
        while let Some((key, lines)) = self.waiting.pop_front() {
            if let Err(error) = append(self.store.as_ref(), &key, &lines).await {
                tracing::warn!(session = %key.session, %error, lines = lines.len(), "the session store has lost lines");
                let _ = self.lost.send(Lost { key, error });
            }
        }
    }
}

async fn append(store: &dyn SessionStore, key: &SessionKey, lines: &[StoredLine]) -> Result<(), String> {
    let mut pauses = PAUSES.iter();
    loop {
        match tokio::time::timeout(APPEND_TIMEOUT, store.append(key, lines)).await {
            Ok(Ok(())) => return Ok(()),
            Ok(Err(error)) => match pauses.next() {
                Some(pause) => tokio::time::sleep(*pause).await,
                None => return Err(causes(error.as_ref())),
            },
            Err(_) => return Err(format!("the session store did not answer within {APPEND_TIMEOUT:?}")),
        }
    }
}

/// Returns an error with all its causes.
fn causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text += &format!(": {cause}");
        source = cause.source();
    }
    text
}
