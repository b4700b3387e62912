//! Splits bytes into lines. The result must not depend on the chunks, and must be that of a simple model.

use mcp_lines::{Line, Lines};

/// How much is kept of a line that is too long.
const HEAD: usize = 4096;

const BOM: &[u8] = b"\xef\xbb\xbf";

/// The first byte is the limit, the second the seed for the chunks, the rest the stream.
///
/// # Panics
/// If the lines differ from those of the model.
pub fn framing(data: &[u8]) {
    let [limit, seed, stream @ ..] = data else { return };
    let limit = if *limit == u8::MAX { 2 * HEAD } else { usize::from(*limit) };
    let expected = model(stream, limit);
    assert_eq!(decode([stream], limit), expected, "in one chunk");
    assert_eq!(decode(stream.chunks(1), limit), expected, "byte by byte");
    assert_eq!(decode(cut(stream, *seed), limit), expected, "cut by {seed}");
}

#[derive(Debug, PartialEq)]
enum Owned {
    Whole(Vec<u8>),
    TooLong(Vec<u8>, usize),
}

/// A simple implementation on the whole stream.
fn model(stream: &[u8], limit: usize) -> Vec<Owned> {
    let mut lines = Vec::new();
    for (number, raw) in stream.split(|byte| *byte == b'\n').enumerate() {
        let without_mark = |bytes: &[u8]| match number {
            0 => bytes.strip_prefix(BOM).unwrap_or(bytes).to_vec(),
            _ => bytes.to_vec(),
        };
        if raw.len() > limit {
            lines.push(Owned::TooLong(without_mark(&raw[..raw.len().min(HEAD)]), raw.len()));
            continue;
        }
        let line = without_mark(raw.strip_suffix(b"\r").unwrap_or(raw));
        if !line.iter().all(u8::is_ascii_whitespace) {
            lines.push(Owned::Whole(line));
        }
    }
    lines
}

fn decode<'a>(chunks: impl IntoIterator<Item = &'a [u8]>, limit: usize) -> Vec<Owned> {
    let (mut lines, mut out) = (Lines::new(limit), Vec::new());
    for mut chunk in chunks {
        while let Some(line) = lines.next(&mut chunk) {
            out.push(owned(line));
        }
        assert!(chunk.is_empty(), "a chunk is not consumed");
    }
    out.extend(lines.finish().map(owned));
    out
}

fn owned(line: Line<'_>) -> Owned {
    match line {
        Line::Whole(line) => Owned::Whole(line.to_vec()),
        Line::TooLong { head, length } => Owned::TooLong(head.to_vec(), length),
    }
}

/// Chunks whose lengths depend only on the seed.
fn cut(mut stream: &[u8], seed: u8) -> Vec<&[u8]> {
    let (mut chunks, mut state) = (Vec::new(), u32::from(seed) + 1);
    while !stream.is_empty() {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let length = (state >> 24) as usize % 64;
        let (chunk, rest) = stream.split_at(length.min(stream.len()));
        chunks.push(chunk);
        stream = rest;
    }
    chunks
}
