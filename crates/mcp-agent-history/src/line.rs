//! Reads the lines of a file, up to a maximum length.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use memchr::memchr;

/// A line of a file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// The bytes, without the line break.
    Whole(Vec<u8>),
    /// The length of a line that is longer than the limit. Its bytes are dropped.
    TooLong(u64),
}

/// Reads the next line and keeps at most `limit` bytes of it. Returns `None` at the end of the file.
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
            // Only the length of a line over the limit is returned, so its bytes are not needed.
            line = Vec::new();
        }
        reader.consume(used);
        if done {
            return Ok(Some(finish(line, length, limit)));
        }
    }
}

/// Calls a function with each line of a file, except blank ones and lines that are longer than 64 MiB.
pub(crate) fn each(path: &Path, mut call: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
    let mut reader = BufReader::with_capacity(1 << 16, File::open(path)?);
    while let Some(line) = next(&mut reader, 64 << 20)? {
        match line {
            Line::Whole(bytes) if !bytes.trim_ascii().is_empty() => call(&bytes)?,
            _ => {}
        }
    }
    Ok(())
}

fn finish(line: Vec<u8>, length: u64, limit: usize) -> Line {
    if length > limit as u64 { Line::TooLong(length) } else { Line::Whole(line) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    #[test]
    fn a_line_is_returned_whole_or_as_its_length_for_any_buffer_size() {
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
