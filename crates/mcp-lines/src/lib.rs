//! Bounded lines out of a stream of bytes: the one framing in the workspace.

use std::mem;

use memchr::memchr;

/// How much of a line that is too long is kept, to find out whose it was.
const HEAD: usize = 4096;

/// What a buffer may keep for the next line; beyond it, memory is given back.
const KEPT: usize = 2 << 20;

const BOM: &[u8] = b"\xef\xbb\xbf";

/// Turns chunks of bytes into lines, whatever the chunks are.
///
/// It is pushed, so that any reader can drive it: a blocking one, an async one, a test. Each byte is looked at once and copied
/// at most once; a line that lies whole in a chunk is not copied at all. A line over the limit is dropped up to its newline
/// and reported with its head, and never takes more memory than the limit.
///
/// A byte order mark at the start of the stream and one `\r` at the end of a line are not part of a line; blank lines are
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
    /// The line whose newline has not come yet; of one that is too long, its head.
    partial: Vec<u8>,
    /// The length of the line whose newline has not come yet.
    length: usize,
    /// `partial` was handed out and is to be emptied.
    handed_out: bool,
    /// No line has been seen yet.
    at_start: bool,
    #[cfg(test)]
    scanned: usize,
}

/// One line, without its newline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line<'a> {
    /// All of it.
    Whole(&'a [u8]),
    /// It was over the limit and is gone.
    TooLong {
        /// How it began: at most 4 KiB.
        head: &'a [u8],
        /// How many bytes it had.
        length: usize,
    },
}

impl Lines {
    /// Lines of at most `limit` bytes each.
    pub fn new(limit: usize) -> Lines {
        Lines {
            limit,
            partial: Vec::new(),
            length: 0,
            handed_out: false,
            at_start: true,
            #[cfg(test)]
            scanned: 0,
        }
    }

    /// The next line, taken from the front of `chunk`.
    ///
    /// None when the chunk is used up: then give it the next one.
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
                return Some(self.hand_out());
            }
            self.at_start = false;
            self.handed_out = true;
            self.tidy();
        }
        None
    }

    /// The last line, if the stream ended without a newline.
    pub fn finish(&mut self) -> Option<Line<'_>> {
        self.tidy();
        if self.holds_blank() { None } else { Some(self.hand_out()) }
    }

    fn find_newline(&mut self, chunk: &[u8]) -> Option<usize> {
        let newline = memchr(b'\n', chunk);
        #[cfg(test)]
        {
            self.scanned += newline.map_or(chunk.len(), |end| end + 1);
        }
        newline
    }

    /// Keeps a piece of a line for when the rest has come, or only its head when the line is too long.
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

    /// Doubles, but never beyond the limit.
    fn grow(&mut self, needed: usize) {
        if needed > self.partial.capacity() {
            let wanted = needed.max(self.partial.capacity() * 2).min(self.limit);
            self.partial.reserve_exact(wanted - self.partial.len());
        }
    }

    fn holds_blank(&self) -> bool {
        self.length <= self.limit && is_blank(trim(&self.partial, self.at_start))
    }

    fn hand_out(&mut self) -> Line<'_> {
        self.handed_out = true;
        let at_start = mem::take(&mut self.at_start);
        if self.length <= self.limit {
            return Line::Whole(trim(&self.partial, at_start));
        }
        let head = &self.partial[..self.partial.len().min(HEAD)];
        Line::TooLong { head: if at_start { head.strip_prefix(BOM).unwrap_or(head) } else { head }, length: self.length }
    }

    /// Empties the buffer of the line handed out before, and gives back what a large one took.
    fn tidy(&mut self) {
        if mem::take(&mut self.handed_out) {
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
    fn marks_returns_and_blank_lines_are_no_part_of_lines() {
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
    fn an_endless_line_takes_no_more_memory_than_the_limit() {
        let (mut lines, block) = (Lines::new(1 << 20), vec![b'x'; 64 << 10]);
        for _ in 0..1024 {
            assert_eq!(lines.next(&mut &block[..]), None);
            assert!(lines.partial.capacity() <= 1 << 20);
        }
        assert!(lines.partial.capacity() <= 2 * HEAD, "only the head is kept: {}", lines.partial.capacity());
        assert_eq!(lines.next(&mut &b"\n"[..]).map(owned), Some(Owned::TooLong(vec![b'x'; HEAD], 64 << 20)));
    }

    #[test]
    fn memory_of_a_large_line_is_given_back() {
        let (mut lines, block) = (Lines::new(64 << 20), vec![b'x'; 32 << 20]);
        assert_eq!(lines.next(&mut &block[..]), None);
        assert!(matches!(lines.next(&mut &b"\n"[..]), Some(Line::Whole(_))));
        assert_eq!(lines.next(&mut &b"small"[..]), None);
        assert!(lines.partial.capacity() <= KEPT);
    }

    #[test]
    fn work_is_linear_at_any_chunking() {
        let bytes = vec![b'x'; 64 << 20];
        let mut lines = Lines::new(64 << 20);
        for mut chunk in bytes.chunks(1024) {
            assert_eq!(lines.next(&mut chunk), None);
        }
        assert_eq!(lines.finish().map(|line| matches!(line, Line::Whole(line) if line.len() == bytes.len())), Some(true));
        assert_eq!(lines.scanned, bytes.len());
    }

    #[test]
    fn a_line_whole_in_its_chunk_is_not_copied() {
        let (mut lines, bytes) = (Lines::new(100), b"one\ntwo\n");
        let mut chunk = &bytes[..];
        let Some(Line::Whole(line)) = lines.next(&mut chunk) else { panic!("a line") };
        assert_eq!(line.as_ptr(), bytes.as_ptr());
    }

    /// Bytes in which everything that framing treats specially is frequent.
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
        fn every_split_gives_the_same_lines(
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
