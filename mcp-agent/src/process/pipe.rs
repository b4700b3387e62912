//! The two pipes that lines go through.

use std::io;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{ChildStdin, ChildStdout};
use tokio::sync::watch;

use crate::lines::Lines;
use crate::transport::{Input, Output, Pending};

/// The child's standard input.
pub(super) struct ProcessInput {
    stdin: Option<ChildStdin>,
}

impl ProcessInput {
    pub(super) fn new(stdin: ChildStdin) -> Self {
        Self { stdin: Some(stdin) }
    }
}

impl Input for ProcessInput {
    fn send<'a>(&'a mut self, line: &'a [u8]) -> Pending<'a, io::Result<()>> {
        Box::pin(async move {
            let stdin = self.stdin.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
            stdin.write_all(line).await?;
            stdin.write_all(b"\n").await?;
            stdin.flush().await
        })
    }

    fn close(&mut self) -> Pending<'_, io::Result<()>> {
        self.stdin = None;
        Box::pin(std::future::ready(Ok(())))
    }
}

/// The child's standard output, in lines.
pub(super) struct ProcessOutput {
    stdout: ChildStdout,
    lines: Lines,
    chunk: Vec<u8>,
    is_gone: watch::Receiver<bool>,
    at_end: bool,
}

impl ProcessOutput {
    pub(super) fn new(stdout: ChildStdout, line_limit: usize, is_gone: watch::Receiver<bool>) -> Self {
        Self { stdout, lines: Lines::new(line_limit), chunk: vec![0; 64 << 10], is_gone, at_end: false }
    }
}

/// What a dead child wrote is in the pipe already; this is for the runtime to notice it.
const NOTICE: Duration = Duration::from_millis(100);

impl Output for ProcessOutput {
    fn receive(&mut self) -> Pending<'_, io::Result<Option<Vec<u8>>>> {
        Box::pin(async move {
            loop {
                if let Some(line) = self.lines.next().map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))? {
                    return Ok(Some(line));
                }
                if self.at_end {
                    return Ok(self.lines.rest());
                }
                // Both branches may be dropped halfway without losing a byte.
                let count = tokio::select! {
                    biased;
                    count = self.stdout.read(&mut self.chunk) => count?,
                    () = noticed_gone(&mut self.is_gone) => 0,
                };
                self.at_end = count == 0;
                self.lines.feed(&self.chunk[..count]);
            }
        })
    }
}

/// Until the child is gone, and a moment more. A grandchild may hold the pipe open for ever.
async fn noticed_gone(is_gone: &mut watch::Receiver<bool>) {
    // An error means that the supervisor is gone too.
    let _ = is_gone.wait_for(|gone| *gone).await;
    tokio::time::sleep(NOTICE).await;
}
