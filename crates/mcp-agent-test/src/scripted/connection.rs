//! The connection to a script that runs in memory: input, output and shutdown.

use std::collections::VecDeque;
use std::io;
use std::process::ExitStatus;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use mcp_agent::{Ending, Input, Output, Peer, Pending, ShutdownTimeouts};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use super::interpreter::End;
use crate::sys;

/// The process state that a running script simulates.
#[derive(Debug, Default)]
pub(crate) struct ProcessState {
    pub(crate) stderr: String,
    pub(crate) ignores_term: bool,
}

/// The input of the script.
pub(crate) struct ScriptInput(Option<mpsc::Sender<Vec<u8>>>);

impl ScriptInput {
    pub(crate) fn new(input: mpsc::Sender<Vec<u8>>) -> Self {
        Self(Some(input))
    }
}

impl Input for ScriptInput {
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

/// The output of the script, split into lines. The script may write lines in several pieces.
pub(crate) struct ScriptOutput {
    output: mpsc::UnboundedReceiver<Vec<u8>>,
    buffer: VecDeque<u8>,
    ended: bool,
}

impl ScriptOutput {
    pub(crate) fn new(output: mpsc::UnboundedReceiver<Vec<u8>>) -> Self {
        Self { output, buffer: VecDeque::new(), ended: false }
    }
}

impl Output for ScriptOutput {
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

/// The task that runs the script. It can be shut down like a process.
pub(crate) struct ScriptTask {
    pub(crate) task: JoinHandle<End>,
    pub(crate) process: Arc<Mutex<ProcessState>>,
}

impl Peer for ScriptTask {
    fn end(mut self: Box<Self>, timeouts: ShutdownTimeouts) -> Pending<'static, Ending> {
        Box::pin(async move {
            let end = self.shut_down(timeouts).await;
            let stderr = lock(&self.process).stderr.clone();
            Ending::new(status(end), stderr)
        })
    }
}

impl ScriptTask {
    async fn shut_down(&mut self, timeouts: ShutdownTimeouts) -> End {
        if let Some(end) = self.wait(timeouts.after_close).await {
            return end;
        }
        let ignores_term = lock(&self.process).ignores_term;
        if !ignores_term {
            return End::Signal(15);
        }
        self.wait(timeouts.after_terminate).await.unwrap_or(End::Signal(9))
    }

    async fn wait(&mut self, time: Duration) -> Option<End> {
        match tokio::time::timeout(time, &mut self.task).await {
            Ok(ended) => Some(ended.unwrap_or(End::Exit(101))),
            Err(_) => None,
        }
    }
}

impl Drop for ScriptTask {
    fn drop(&mut self) {
        self.task.abort();
    }
}

pub(super) fn status(end: End) -> Option<ExitStatus> {
    Some(match end {
        End::Exit(code) => sys::exited(code),
        End::Signal(signal) => sys::killed(signal),
    })
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
