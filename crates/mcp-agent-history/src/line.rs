//! Lines of a file, each no longer than what may be held.

use std::io::{self, BufRead};

use memchr::memchr;

/// A line of a file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// The bytes, without the line break.
    Whole(Vec<u8>),
    /// It was longer than allowed, by its length.
    TooLong(u64),
}

/// Reads the next line, of at most `limit` bytes; `None` at the end.
pub(crate) fn next(reader: &mut impl BufRead, limit: usize) -> io::Result<Option<Line>> {
    let (mut line, mut length, mut seen) = (Vec::new(), 0_u64, false);
    loop {
        let buffer = match reader.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            buffer => buffer?,
        };
        if buffer.is_empty() {
            return Ok(seen.then(|| finish(line, length, limit)));
        }
        seen = true;
        let (part, used, done) = match memchr(b'\n', buffer) {
            Some(at) => (&buffer[..at], at + 1, true),
            None => (buffer, buffer.len(), false),
        };
        length += part.len() as u64;
        if length <= limit as u64 {
            line.extend_from_slice(part);
        } else {
            // What will not be told need not be kept.
            line = Vec::new();
        }
        reader.consume(used);
        if done {
            return Ok(Some(finish(line, length, limit)));
        }
    }
}

fn finish(line: Vec<u8>, length: u64, limit: usize) -> Line {
    if length > limit as u64 { Line::TooLong(length) } else { Line::Whole(line) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    #[test]
    fn lines_are_told_whole_or_by_their_length_whatever_the_buffer() {
        let text = b"one\n\ntoo long for this\nlast";
        for capacity in [1, 2, 7, 64] {
            let mut reader = BufReader::with_capacity(capacity, &text[..]);
            let mut lines = Vec::new();
            while let Some(line) = next(&mut reader, 5).unwrap() {
                lines.push(line);
            }
            let whole = |text: &[u8]| Line::Whole(text.to_vec());
            assert_eq!(lines, [whole(b"one"), whole(b""), Line::TooLong(17), whole(b"last")]);
        }
    }
}
