//! A scripted CLI in the test's own process.

use std::collections::VecDeque;
use std::fmt;
use std::io;
use std::process::ExitStatus;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use mcp_agent::{Connection, Ending, Input, Invocation, Output, Patience, Peer, Pending, StartError, Transport};
use serde_json::Value;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use super::play::{End, Stage, play};
use super::script::Script;

/// A scripted CLI that needs no process: a [`Transport`] that plays a [`Script`].
///
/// For tests of what an agent does with a CLI: its handlers, its prompts, its errors. Clones are the same CLI, so keep one
/// to ask what it [`heard`](Self::heard). Each connection plays the script from its start. Signals are played too: a script
/// that [hangs](Script::hang) ends as a process would when patience runs out.
#[derive(Clone, Debug)]
pub struct ScriptedCli {
    script: Arc<Script>,
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    heard: Vec<Value>,
    invocations: Vec<Invocation>,
    stderr: String,
    ignores_term: bool,
}

impl ScriptedCli {
    /// A CLI that plays `script`.
    #[must_use]
    pub fn new(script: Script) -> Self {
        Self { script: Arc::new(script), state: Arc::default() }
    }

    /// Every line it was sent so far: JSON, or a string where a line was not JSON.
    #[must_use]
    pub fn heard(&self) -> Vec<Value> {
        lock(&self.state).heard.clone()
    }

    /// How it was started, once for each connection.
    #[must_use]
    pub fn invocations(&self) -> Vec<Invocation> {
        lock(&self.state).invocations.clone()
    }
}

impl Transport for ScriptedCli {
    fn connect(&self, invocation: Invocation) -> Pending<'_, Result<Connection, StartError>> {
        lock(&self.state).invocations.push(invocation);
        let (input, lines) = mpsc::channel(1);
        let (stdout, output) = mpsc::unbounded_channel();
        let script = Arc::clone(&self.script);
        let state = Arc::clone(&self.state);
        let mut stage = Task { stdout, state: Arc::clone(&state) };
        let task = tokio::spawn(async move { play(&script, lines, &mut stage).await });
        let connection = Connection {
            input: Box::new(Lines::new(input)),
            output: Box::new(Chunks::new(output)),
            peer: Box::new(Player { task, state }),
        };
        Box::pin(std::future::ready(Ok(connection)))
    }
}

struct Task {
    stdout: mpsc::UnboundedSender<Vec<u8>>,
    state: Arc<Mutex<State>>,
}

impl Stage for Task {
    fn heard(&mut self, frame: &Value) -> io::Result<()> {
        lock(&self.state).heard.push(frame.clone());
        Ok(())
    }

    fn stdout(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stdout.send(bytes.to_vec()).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }

    fn stderr(&mut self, bytes: &[u8]) -> io::Result<()> {
        lock(&self.state).stderr.push_str(&String::from_utf8_lossy(bytes));
        Ok(())
    }

    fn ignore_term(&mut self) -> io::Result<()> {
        lock(&self.state).ignores_term = true;
        Ok(())
    }

    fn grandchild(&mut self) -> io::Result<()> {
        self.stderr(b"scripted CLI: a grandchild needs a process\n")?;
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// Lines to a CLI in this process.
pub(super) struct Lines(Option<mpsc::Sender<Vec<u8>>>);

impl Lines {
    pub(super) fn new(input: mpsc::Sender<Vec<u8>>) -> Self {
        Self(Some(input))
    }
}

impl Input for Lines {
    fn send<'a>(&'a mut self, line: &'a [u8]) -> Pending<'a, io::Result<()>> {
        Box::pin(async move {
            let closed = || io::Error::from(io::ErrorKind::BrokenPipe);
            let input = self.0.as_ref().ok_or_else(closed)?;
            input.send(line.to_vec()).await.map_err(|_| closed())
        })
    }

    fn close(&mut self) -> Pending<'_, io::Result<()>> {
        self.0 = None;
        Box::pin(std::future::ready(Ok(())))
    }
}

/// Lines from a CLI in this process, which writes bytes as it likes.
pub(super) struct Chunks {
    output: mpsc::UnboundedReceiver<Vec<u8>>,
    buffer: VecDeque<u8>,
    ended: bool,
}

impl Chunks {
    pub(super) fn new(output: mpsc::UnboundedReceiver<Vec<u8>>) -> Self {
        Self { output, buffer: VecDeque::new(), ended: false }
    }
}

impl Output for Chunks {
    fn receive(&mut self) -> Pending<'_, io::Result<Option<Vec<u8>>>> {
        Box::pin(async move {
            loop {
                if let Some(at) = self.buffer.iter().position(|byte| *byte == b'\n') {
                    let mut line: Vec<u8> = self.buffer.drain(..=at).collect();
                    line.pop();
                    return Ok(Some(line));
                }
                if self.ended {
                    let tail: Vec<u8> = self.buffer.drain(..).collect();
                    return Ok((!tail.is_empty()).then_some(tail));
                }
                match self.output.recv().await {
                    Some(bytes) => self.buffer.extend(bytes),
                    None => self.ended = true,
                }
            }
        })
    }
}

struct Player {
    task: JoinHandle<End>,
    state: Arc<Mutex<State>>,
}

impl Peer for Player {
    fn end(mut self: Box<Self>, patience: Patience) -> Pending<'static, Ending> {
        Box::pin(async move {
            let end = self.insist(patience).await;
            let stderr = lock(&self.state).stderr.clone();
            Ending::new(status(end), stderr)
        })
    }
}

impl Player {
    async fn insist(&mut self, patience: Patience) -> End {
        if let Some(end) = self.wait(patience.after_close).await {
            return end;
        }
        let ignores_term = lock(&self.state).ignores_term;
        if !ignores_term {
            return End::Signal(15);
        }
        self.wait(patience.after_terminate).await.unwrap_or(End::Signal(9))
    }

    async fn wait(&mut self, time: Duration) -> Option<End> {
        match tokio::time::timeout(time, &mut self.task).await {
            Ok(ended) => Some(ended.unwrap_or(End::Exit(101))),
            Err(_) => None,
        }
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl fmt::Debug for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Player").finish_non_exhaustive()
    }
}

#[cfg(unix)]
pub(super) fn status(end: End) -> Option<ExitStatus> {
    use std::os::unix::process::ExitStatusExt as _;
    Some(match end {
        End::Exit(code) => ExitStatus::from_raw((code & 0xff) << 8),
        End::Signal(signal) => ExitStatus::from_raw(signal),
    })
}

#[cfg(not(unix))]
pub(super) fn status(_: End) -> Option<ExitStatus> {
    None
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}
