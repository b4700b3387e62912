//! Bytes become lines, of a bounded length.

use std::fmt;

/// Splits a stream of bytes at `\n`, and at nothing else.
#[derive(Debug)]
pub(crate) struct Lines {
    // The bytes from `start` have not been given out; of these, none before `scanned` is a newline.
    buffer: Vec<u8>,
    start: usize,
    scanned: usize,
    limit: usize,
}

/// A line passed the limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TooLong {
    limit: usize,
}

impl fmt::Display for TooLong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a line is longer than {} bytes", self.limit)
    }
}

impl std::error::Error for TooLong {}

impl Lines {
    pub(crate) fn new(limit: usize) -> Self {
        Self { buffer: Vec::new(), start: 0, scanned: 0, limit }
    }

    /// Takes in more bytes.
    pub(crate) fn feed(&mut self, bytes: &[u8]) {
        if self.start > 0 {
            self.buffer.drain(..self.start);
            self.scanned -= self.start;
            self.start = 0;
        }
        self.buffer.extend_from_slice(bytes);
    }

    /// Gives out the next whole line without its newline.
    pub(crate) fn next(&mut self) -> Result<Option<Vec<u8>>, TooLong> {
        match memchr::memchr(b'\n', &self.buffer[self.scanned..]) {
            Some(at) => {
                let end = self.scanned + at;
                let line = self.within(end)?;
                self.start = end + 1;
                self.scanned = self.start;
                Ok(Some(line))
            }
            None => {
                self.scanned = self.buffer.len();
                if self.scanned - self.start > self.limit { Err(TooLong { limit: self.limit }) } else { Ok(None) }
            }
        }
    }

    /// Gives out what stands after the last newline, when there will be no more.
    pub(crate) fn rest(&mut self) -> Option<Vec<u8>> {
        let line = self.buffer.split_off(self.start);
        self.buffer.clear();
        (self.start, self.scanned) = (0, 0);
        (!line.is_empty()).then_some(line)
    }

    fn within(&self, end: usize) -> Result<Vec<u8>, TooLong> {
        let line = &self.buffer[self.start..end];
        if line.len() > self.limit { Err(TooLong { limit: self.limit }) } else { Ok(line.to_vec()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_limit_holds_for_each_line_and_not_for_their_sum() {
        let mut lines = Lines::new(3);
        for _ in 0..10 {
            lines.feed(b"abc\n");
            assert_eq!(lines.next(), Ok(Some(b"abc".to_vec())));
        }
        lines.feed(b"abcd");
        assert_eq!(lines.next(), Err(TooLong { limit: 3 }));
        let mut lines = Lines::new(3);
        lines.feed(b"abcd\n");
        assert_eq!(lines.next(), Err(TooLong { limit: 3 }));
    }

    proptest! {
        #[test]
        fn lines_do_not_depend_on_how_the_bytes_arrive(
            bytes in prop::collection::vec(prop_oneof![Just(b'\n'), Just(b'\r'), Just(0xff), any::<u8>()], 0..300),
            cuts in prop::collection::vec(1..40_usize, 1..40),
        ) {
            let mut lines = Lines::new(1000);
            let mut got = Vec::new();
            let mut rest = bytes.as_slice();
            for cut in cuts.iter().cycle() {
                if rest.is_empty() { break }
                let (chunk, after) = rest.split_at((*cut).min(rest.len()));
                rest = after;
                lines.feed(chunk);
                while let Some(line) = lines.next().expect("within the limit") { got.push(line) }
            }
            got.extend(lines.rest());
            let mut expected: Vec<Vec<u8>> = bytes.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
            if expected.last().is_some_and(Vec::is_empty) { expected.pop(); }
            prop_assert_eq!(got, expected);
        }
    }
}
