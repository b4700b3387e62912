//! What the client has sent: the lines of the chunk read last, then the next chunk.

use std::io;
use std::os::fd::{AsFd, BorrowedFd};

use mcp_core::transport::Message;

use crate::driver::shutdown::ShutdownReason;
use crate::sys::unix::InputStream;
use mcp_lines::{Line, Lines};

/// What is read at a time at first: more than a handshake takes.
const SMALL: usize = 4 << 10;

/// What is read at a time from a client that sends more: half of what a pipe holds.
const CHUNK: usize = 32 << 10;

/// The messages of a descriptor.
#[derive(Debug)]
pub(crate) struct Input {
    wire: InputStream,
    lines: Lines,
    limit: usize,
    chunk: Box<[u8]>,
    /// What of the chunk is still to be looked at.
    rest: std::ops::Range<usize>,
    ended: bool,
}

impl Input {
    pub(crate) fn new(wire: InputStream, limit: usize) -> Input {
        Input { wire, lines: Lines::new(limit), limit, chunk: vec![0; SMALL].into(), rest: 0..0, ended: false }
    }

    /// The next message that can be had without reading.
    pub(crate) fn next(&mut self) -> Option<Message<'_>> {
        let mut rest = &self.chunk[self.rest.clone()];
        let line = if self.ended { self.lines.finish() } else { self.lines.next(&mut rest) };
        self.rest.start = self.rest.end - rest.len();
        line.map(|line| message(line, self.limit))
    }

    /// Reads the next chunk, which may take for ever. At the end of input `next` then has the unterminated tail; after that,
    /// or when reading fails, it is the end.
    pub(crate) fn read_chunk(&mut self) -> Result<(), ShutdownReason> {
        if self.ended { Err(ShutdownReason::Input) } else { self.read().map_err(ShutdownReason::Read) }
    }

    /// Whether the next chunk is there already. Asked of the system only where the last one was full: else there is seldom more.
    pub(crate) fn has_more(&self) -> bool {
        self.rest.end == self.chunk.len() && self.wire.has_input()
    }

    fn read(&mut self) -> io::Result<()> {
        if self.rest.end == self.chunk.len() && self.chunk.len() < CHUNK {
            // The last one was full, so there was more to have.
            self.chunk = vec![0; CHUNK].into();
        }
        let length = self.wire.read(&mut self.chunk)?;
        self.rest = 0..length;
        self.ended = length == 0;
        Ok(())
    }
}

impl AsFd for Input {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.wire.as_fd()
    }
}

/// The message in a line.
pub(crate) fn message(line: Line<'_>, limit: usize) -> Message<'_> {
    match line {
        Line::Whole(line) => Message::parse(line),
        Line::TooLong { head, length } => Message::oversized(head, length, limit),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::os::fd::OwnedFd;

    use super::*;

    #[test]
    fn it_goes_on_only_while_more_is_there_already() {
        let (reader, mut writer) = io::pipe().unwrap();
        let mut input = Input::new(InputStream::from(OwnedFd::from(reader)), CHUNK);
        writer.write_all(&[b' '; SMALL + 1]).unwrap();
        input.read_chunk().unwrap();
        assert!(input.has_more(), "the chunk was full, and a byte is left");
        input.read_chunk().unwrap();
        assert!(!input.has_more());
        writer.write_all(&[b' '; CHUNK]).unwrap();
        input.read_chunk().unwrap();
        assert!(!input.has_more(), "the chunk was full, and that was all");
        writer.write_all(b" ").unwrap();
        assert!(input.has_more());
        drop(writer);
        input.read_chunk().unwrap();
        assert!(!input.has_more(), "the last chunk was not full");
    }
}
