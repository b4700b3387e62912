//! A connection to a CLI in which a bug is planted.

use std::fmt;
use std::io;

use mcp_agent::{Connection, Input, Invocation, Pending, StartError, Transport};

use crate::bug::Bug;

/// A transport whose connection loses or repeats responses.
pub(super) struct Faulty<T> {
    inner: T,
    bug: Option<Bug>,
}

struct FaultyInput {
    inner: Box<dyn Input>,
    bug: Option<Bug>,
    responses: usize,
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
            let (inner, bug) = (connection.input, self.bug);
            connection.input = Box::new(FaultyInput { inner, bug, responses: 0 });
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
