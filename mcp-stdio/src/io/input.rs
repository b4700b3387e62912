//! The messages of the input stream.

use std::ops::Range;

use mcp_core::transport::Message;
use mcp_lines::{Line, Lines};

use crate::driver::shutdown::ShutdownReason;
use crate::io::streams::InputStream;

/// The number of bytes that are read at a time: the capacity of a pipe.
const CHUNK: usize = 64 << 10;

/// Reads chunks and splits them into messages.
#[derive(Debug)]
pub(crate) struct Input {
    stream: InputStream,
    lines: Lines,
    max_line: usize,
    chunk: Box<[u8]>,
    /// The part of the chunk that is not yet split.
    rest: Range<usize>,
    ended: bool,
}

impl Input {
    pub(crate) fn new(stream: InputStream, max_line: usize) -> Input {
        Input { stream, lines: Lines::new(max_line), max_line, chunk: vec![0; CHUNK].into(), rest: 0..0, ended: false }
    }

    /// Returns the next message of the chunk. At the end of input, returns the last line even if it has no newline.
    pub(crate) fn next(&mut self) -> Option<Message<'_>> {
        let mut rest = &self.chunk[self.rest.clone()];
        let line = if self.ended { self.lines.finish() } else { self.lines.next(&mut rest) };
        self.rest.start = self.rest.end - rest.len();
        line.map(|line| message(line, self.max_line))
    }

    /// Reads the next chunk, and blocks until the client sends one. Returns `Ok` at the end of input, and an error after that.
    pub(crate) fn read_chunk(&mut self) -> Result<(), ShutdownReason> {
        if self.ended {
            return Err(ShutdownReason::Input);
        }
        let length = self.stream.read(&mut self.chunk).map_err(ShutdownReason::Read)?;
        self.rest = 0..length;
        self.ended = length == 0;
        Ok(())
    }
}

/// Parses a line.
pub(crate) fn message(line: Line<'_>, max_line: usize) -> Message<'_> {
    match line {
        Line::Whole(line) => Message::parse(line),
        Line::TooLong { head, length } => Message::oversized(head, length, max_line),
    }
}
