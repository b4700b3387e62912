//! A connection to a CLI in which a bug is planted.

use std::collections::VecDeque;
use std::fmt;
use std::io;

use mcp_agent::{Connection, Input, Invocation, Output, Pending, StartError, Transport};

use crate::bug::Bug;

/// A transport whose connection loses or repeats responses of the session, or messages of the CLI.
pub(super) struct Faulty<T> {
    inner: T,
    bug: Option<Bug>,
}

struct FaultyInput {
    inner: Box<dyn Input>,
    bug: Option<Bug>,
    responses: usize,
}

struct FaultyOutput {
    inner: Box<dyn Output>,
    bug: Option<Bug>,
    messages: usize,
    /// Lines that are received before the next one of `inner`.
    waiting: VecDeque<Vec<u8>>,
}

impl<T> Faulty<T> {
    pub(super) fn new(inner: T, bug: Option<Bug>) -> Faulty<T> {
        Faulty { inner, bug }
    }
}

impl<T: Transport> Transport for Faulty<T> {
    fn connect(&self, invocation: Invocation) -> Pending<'_, Result<Connection, StartError>> {
        Box::pin(async move {
            let mut connection = self.inner.connect(invocation).await?;
            let (input, output, bug) = (connection.input, connection.output, self.bug);
            connection.input = Box::new(FaultyInput { inner: input, bug, responses: 0 });
            connection.output = Box::new(FaultyOutput { inner: output, bug, messages: 0, waiting: VecDeque::new() });
            Ok(connection)
        })
    }
}

impl<T> fmt::Debug for Faulty<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Faulty").field("bug", &self.bug).finish_non_exhaustive()
    }
}

impl Input for FaultyInput {
    fn send<'a>(&'a mut self, line: &'a [u8]) -> Pending<'a, io::Result<()>> {
        Box::pin(async move {
            self.responses += usize::from(line.starts_with(br#"{"type":"control_response""#));
            let is_due = self.responses % 5 == 4;
            match self.bug {
                Some(Bug::LostControlResponse) if is_due => return Ok(()),
                Some(Bug::DuplicateControlResponse) if is_due => self.inner.send(line).await?,
                _ => {}
            }
            self.inner.send(line).await
        })
    }

    fn close(&mut self) -> Pending<'_, io::Result<()>> {
        self.inner.close()
    }
}

impl Output for FaultyOutput {
    fn receive(&mut self) -> Pending<'_, io::Result<Option<Vec<u8>>>> {
        Box::pin(async move {
            loop {
                if let Some(line) = self.waiting.pop_front() {
                    return Ok(Some(line));
                }
                let Some(line) = self.inner.receive().await? else { return Ok(None) };
                let is_message = line.windows(10).any(|bytes| bytes == br#""number":""#);
                self.messages += usize::from(is_message);
                let is_due = is_message && self.messages % 5 == 4;
                match self.bug {
                    Some(Bug::LostMessage) if is_due => {}
                    Some(Bug::DuplicateMessage) if is_due => self.waiting.extend([line.clone(), line]),
                    Some(Bug::SwappedMessages) if is_due => match self.inner.receive().await? {
                        Some(next) => self.waiting.extend([next, line]),
                        None => self.waiting.extend([line]),
                    },
                    _ => return Ok(Some(line)),
                }
            }
        })
    }
}
