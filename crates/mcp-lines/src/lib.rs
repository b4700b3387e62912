//! Splits a stream of bytes into lines of bounded length.

use std::mem;

use memchr::memchr;

/// The number of bytes that are kept of a line that is too long: they may contain the id of a request.
const HEAD: usize = 4096;

/// Buffers that grew larger than this are released after use.
const KEPT: usize = 2 << 20;

const BOM: &[u8] = b"\xef\xbb\xbf";

/// Splits chunks of bytes of any size into lines.
///
/// The caller passes the chunks, so it works with blocking and async readers. Each byte is scanned once and copied at most
/// once; a line that is complete in its chunk is not copied. A line over the limit is discarded up to its newline and reported
/// with its first bytes. It never takes more memory than the limit.
///
/// A byte order mark at the start of the stream and one `\r` at the end of a line are removed; blank lines are
/// skipped.
///
/// ```
/// use mcp_lines::{Line, Lines};
///
/// let mut lines = Lines::new(1024);
/// let mut chunk = &b"{\"a\":1}\r\n\n{\"b\""[..];
/// assert_eq!(lines.next(&mut chunk), Some(Line::Whole(b"{\"a\":1}")));
/// assert_eq!(lines.next(&mut chunk), None); // the chunk is used up
///
/// let mut chunk = &b":2}\n"[..];
/// assert_eq!(lines.next(&mut chunk), Some(Line::Whole(b"{\"b\":2}")));
/// assert_eq!(lines.finish(), None);
/// ```
#[derive(Debug)]
pub struct Lines {
    limit: usize,
    /// The start of a line whose newline is not there yet. If the line is too long, only its head.
    partial: Vec<u8>,
    /// The length of that line so far.
    length: usize,
    /// Whether `partial` was returned as a line and must be emptied.
    returned: bool,
    /// Whether no line has been returned yet.
    at_start: bool,
    #[cfg(test)]
    scanned: usize,
}

/// One line, without its newline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line<'a> {
    /// A complete line.
    Whole(&'a [u8]),
    /// A line over the limit, which was discarded.
    TooLong {
        /// The first bytes of the line, at most 4 KiB.
        head: &'a [u8],
        /// The length of the line in bytes.
        length: usize,
    },
}

impl Lines {
    /// Creates a splitter for lines of at most `limit` bytes.
    pub fn new(limit: usize) -> Lines {
        Lines {
            limit,
            partial: Vec::new(),
            length: 0,
            returned: false,
            at_start: true,
            #[cfg(test)]
            scanned: 0,
        }
    }

    /// Returns the next line and removes it from the front of `chunk`.
    ///
    /// Returns `None` if the chunk has no further complete line: then call it with the next chunk.
    pub fn next<'a, 'c: 'a>(&'a mut self, chunk: &mut &'c [u8]) -> Option<Line<'a>> {
        self.tidy();
        while !chunk.is_empty() {
            let Some(end) = self.find_newline(chunk) else {
                self.keep(mem::take(chunk));
                return None;
            };
            let (piece, rest) = (&chunk[..end], &chunk[end + 1..]);
            *chunk = rest;
            if self.length == 0 && piece.len() <= self.limit {
                let line = trim(piece, mem::take(&mut self.at_start));
                if is_blank(line) {
                    continue;
                }
                return Some(Line::Whole(line));
            }
            self.keep(piece);
            if !self.holds_blank() {
                return Some(self.return_partial());
            }
            self.at_start = false;
            self.returned = true;
            self.tidy();
        }
        None
    }

    /// Returns the last line if the stream ended without a newline.
    pub fn finish(&mut self) -> Option<Line<'_>> {
        self.tidy();
        if self.holds_blank() { None } else { Some(self.return_partial()) }
    }

    fn find_newline(&mut self, chunk: &[u8]) -> Option<usize> {
        let newline = memchr(b'\n', chunk);
        #[cfg(test)]
        {
            self.scanned += newline.map_or(chunk.len(), |end| end + 1);
        }
        newline
    }

    /// Keeps a part of a line until its rest comes. Of a line that is too long, keeps only the head.
    fn keep(&mut self, piece: &[u8]) {
        self.length += piece.len();
        if self.length <= self.limit {
            self.grow(self.length);
            self.partial.extend_from_slice(piece);
            return;
        }
        let missing = HEAD.saturating_sub(self.partial.len()).min(piece.len());
        self.partial.truncate(HEAD);
        self.partial.shrink_to(HEAD);
        self.partial.extend_from_slice(&piece[..missing]);
    }

    /// Doubles the capacity, but not beyond the limit.
    fn grow(&mut self, needed: usize) {
        if needed > self.partial.capacity() {
            let wanted = needed.max(self.partial.capacity() * 2).min(self.limit);
            self.partial.reserve_exact(wanted - self.partial.len());
        }
    }

    fn holds_blank(&self) -> bool {
        self.length <= self.limit && is_blank(trim(&self.partial, self.at_start))
    }

    fn return_partial(&mut self) -> Line<'_> {
        self.returned = true;
        let at_start = mem::take(&mut self.at_start);
        if self.length <= self.limit {
            return Line::Whole(trim(&self.partial, at_start));
        }
        let head = &self.partial[..self.partial.len().min(HEAD)];
        Line::TooLong { head: if at_start { head.strip_prefix(BOM).unwrap_or(head) } else { head }, length: self.length }
    }

    /// Empties the buffer of the line that was returned before, and releases a large one.
    fn tidy(&mut self) {
        if mem::take(&mut self.returned) {
            self.length = 0;
            self.partial.clear();
            self.partial.shrink_to(KEPT);
        }
    }
}

fn trim(line: &[u8], at_start: bool) -> &[u8] {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    if at_start { line.strip_prefix(BOM).unwrap_or(line) } else { line }
}

fn is_blank(line: &[u8]) -> bool {
    line.iter().all(u8::is_ascii_whitespace)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[derive(Clone, Debug, PartialEq)]
    enum Owned {
        Whole(Vec<u8>),
        TooLong(Vec<u8>, usize),
    }

    fn owned(line: Line<'_>) -> Owned {
        match line {
            Line::Whole(line) => Owned::Whole(line.to_vec()),
            Line::TooLong { head, length } => Owned::TooLong(head.to_vec(), length),
        }
    }

    fn decode<'a>(lines: &mut Lines, chunks: impl IntoIterator<Item = &'a [u8]>) -> Vec<Owned> {
        let mut out = Vec::new();
        for mut chunk in chunks {
            while let Some(line) = lines.next(&mut chunk) {
                out.push(owned(line));
            }
            assert!(chunk.is_empty());
        }
        out.extend(lines.finish().map(owned));
        out
    }

    fn whole(texts: &[&str]) -> Vec<Owned> {
        texts.iter().map(|text| Owned::Whole(text.as_bytes().to_vec())).collect()
    }

    #[test]
    fn byte_order_marks_carriage_returns_and_blank_lines_are_removed() {
        let bytes = "\u{feff}one\r\n\n \t\r\n\u{feff}two\n\rthree\r\r\nfour".as_bytes();
        assert_eq!(decode(&mut Lines::new(100), [bytes]), whole(&["one", "\u{feff}two", "\rthree\r", "four"]));
        assert_eq!(decode(&mut Lines::new(100), ["\u{feff}\n\u{feff}a".as_bytes()]), whole(&["\u{feff}a"]));
    }

    #[test]
    fn a_line_that_is_too_long_is_reported_and_the_next_one_is_whole() {
        let mut bytes = vec![b'x'; 10_000];
        bytes.extend_from_slice(b"\nnext\n");
        let expected = [Owned::TooLong(vec![b'x'; HEAD], 10_000), Owned::Whole(b"next".to_vec())];
        assert_eq!(decode(&mut Lines::new(9_999), [&bytes[..]]), expected);
        assert_eq!(decode(&mut Lines::new(9_999), bytes.chunks(7)), expected);
        assert_eq!(decode(&mut Lines::new(10), [&b"12345678901"[..]]), [Owned::TooLong(b"12345678901".to_vec(), 11)]);
        assert_eq!(decode(&mut Lines::new(11), [&b"12345678901"[..]]), whole(&["12345678901"]));
    }

    #[test]
    fn a_line_without_end_takes_no_more_memory_than_the_limit() {
        let (mut lines, block) = (Lines::new(1 << 20), vec![b'x'; 64 << 10]);
        for _ in 0..1024 {
            assert_eq!(lines.next(&mut &block[..]), None);
            assert!(lines.partial.capacity() <= 1 << 20);
        }
        assert!(lines.partial.capacity() <= 2 * HEAD, "only the head is kept: {}", lines.partial.capacity());
        assert_eq!(lines.next(&mut &b"\n"[..]).map(owned), Some(Owned::TooLong(vec![b'x'; HEAD], 64 << 20)));
    }

    #[test]
    fn memory_of_a_large_line_is_released() {
        let (mut lines, block) = (Lines::new(64 << 20), vec![b'x'; 32 << 20]);
        assert_eq!(lines.next(&mut &block[..]), None);
        assert!(matches!(lines.next(&mut &b"\n"[..]), Some(Line::Whole(_))));
        assert_eq!(lines.next(&mut &b"small"[..]), None);
        assert!(lines.partial.capacity() <= KEPT);
    }

    #[test]
    fn each_byte_is_scanned_once_in_chunks_of_any_size() {
        let bytes = vec![b'x'; 64 << 20];
        let mut lines = Lines::new(64 << 20);
        for mut chunk in bytes.chunks(1024) {
            assert_eq!(lines.next(&mut chunk), None);
        }
        assert_eq!(lines.finish().map(|line| matches!(line, Line::Whole(line) if line.len() == bytes.len())), Some(true));
        assert_eq!(lines.scanned, bytes.len());
    }

    #[test]
    fn a_line_that_is_complete_in_its_chunk_is_not_copied() {
        let (mut lines, bytes) = (Lines::new(100), b"one\ntwo\n");
        let mut chunk = &bytes[..];
        let Some(Line::Whole(line)) = lines.next(&mut chunk) else { panic!("a line") };
        assert_eq!(line.as_ptr(), bytes.as_ptr());
    }

    /// Bytes that often contain newlines, carriage returns, byte order marks and long lines.
    fn stream() -> impl Strategy<Value = Vec<u8>> {
        let piece = prop_oneof![
            4 => Just(b"\n".to_vec()),
            2 => Just(b"\r".to_vec()),
            2 => Just(BOM.to_vec()),
            1 => Just(b" \t".to_vec()),
            4 => proptest::collection::vec(any::<u8>(), 0..20),
            1 => Just(vec![b'y'; HEAD + 9]),
        ];
        proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn the_lines_do_not_depend_on_the_chunks(
            bytes in stream(),
            cuts in proptest::collection::vec(any::<proptest::sample::Index>(), 0..30),
            limit in prop_oneof![0usize..40, Just(HEAD + 20)],
        ) {
            let mut at: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
            at.extend([0, bytes.len()]);
            at.sort_unstable();
            let parts = at.windows(2).map(|pair| &bytes[pair[0]..pair[1]]);
            let expected = decode(&mut Lines::new(limit), [&bytes[..]]);
            prop_assert_eq!(decode(&mut Lines::new(limit), parts), expected.clone());
            prop_assert_eq!(decode(&mut Lines::new(limit), bytes.chunks(1)), expected);
        }
    }
}
