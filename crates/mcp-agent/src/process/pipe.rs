//! The standard input and output of the child.

use std::io;
use std::ops::Range;
use std::time::Duration;

use mcp_lines::{Line, Lines};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{ChildStdin, ChildStdout};
use tokio::sync::watch;

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

/// The standard output of the child, split into lines.
pub(super) struct ProcessOutput {
    stdout: ChildStdout,
    lines: Lines,
    line_limit: usize,
    chunk: Vec<u8>,
    // The range of `chunk` that was read but not yet split into lines.
    unused: Range<usize>,
    is_gone: watch::Receiver<bool>,
    at_end: bool,
}

/// How long to keep reading after the child has exited. Its remaining output is already in the pipe, so a short time is
/// enough to read it.
const READ_AFTER_EXIT: Duration = Duration::from_millis(100);

impl ProcessOutput {
    pub(super) fn new(stdout: ChildStdout, line_limit: usize, is_gone: watch::Receiver<bool>) -> Self {
        let lines = Lines::new(line_limit);
        Self { stdout, lines, line_limit, chunk: vec![0; 64 << 10], unused: 0..0, is_gone, at_end: false }
    }

    /// Returns the next line of the bytes that were read.
    fn next_line(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut unused = &self.chunk[self.unused.clone()];
        let line = match self.lines.next(&mut unused) {
            None if self.at_end => self.lines.finish(),
            line => line,
        };
        let line = match line {
            None => Ok(None),
            Some(Line::Whole(line)) => Ok(Some(line.to_vec())),
            Some(_) => Err(io::Error::new(
                io::ErrorKind::InvalidData,
                format!("a line of the claude CLI is longer than the limit of {} bytes", self.line_limit),
            )),
        };
        self.unused.start = self.unused.end - unused.len();
        line
    }
}

impl Output for ProcessOutput {
    fn receive(&mut self) -> Pending<'_, io::Result<Option<Vec<u8>>>> {
        Box::pin(async move {
            loop {
                let line = self.next_line()?;
                if line.is_some() || self.at_end {
                    return Ok(line);
                }
                // Cancel safe: dropping either branch loses no bytes.
                let count = tokio::select! {
                    biased;
                    count = self.stdout.read(&mut self.chunk) => count?,
                    () = read_time_over(&mut self.is_gone) => 0,
                };
                self.at_end = count == 0;
                self.unused = 0..count;
            }
        })
    }
}

/// Completes [`READ_AFTER_EXIT`] after the child has exited. Without it, a grandchild that holds the pipe open would
/// block the reader forever.
async fn read_time_over(is_gone: &mut watch::Receiver<bool>) {
    // An error means that the supervisor task has ended too.
    let _ = is_gone.wait_for(|gone| *gone).await;
    tokio::time::sleep(READ_AFTER_EXIT).await;
}
