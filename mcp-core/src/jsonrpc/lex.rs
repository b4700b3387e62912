//! Where things of JSON end.
//!
//! Each function takes the place where something begins and gives the place behind it, so that where we are stays in a
//! register: these run over every byte that comes in. `None` means that there is no such thing at that place.

use super::Span;
use super::nesting::Nesting;

/// Whether a text can stand between quotes as it is.
pub(crate) fn is_plain(text: &str) -> bool {
    plain_end(text.as_bytes(), 0) == text.len()
}

/// Where the first quote, backslash or control character stands from there on; the end if there is none.
#[inline(always)]
pub(crate) fn plain_end(bytes: &[u8], mut at: usize) -> usize {
    while let Some(chunk) = bytes.get(at..).and_then(|rest| rest.first_chunk()) {
        let special = special_bytes(u64::from_le_bytes(*chunk));
        if special != 0 {
            return at + special.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    plain_end_of_rest(bytes, at)
}

/// The same where less than a word is left.
#[inline(never)]
fn plain_end_of_rest(bytes: &[u8], mut at: usize) -> usize {
    if let Some(chunk) = bytes.get(at..).and_then(|rest| rest.first_chunk()) {
        let special = special_bytes(u64::from(u32::from_le_bytes(*chunk)) | SPACES_ABOVE);
        if special != 0 {
            return at + special.trailing_zeros() as usize / 8;
        }
        at += 4;
    }
    while bytes.get(at).is_some_and(|byte| *byte >= 0x20 && *byte != b'"' && *byte != b'\\') {
        at += 1;
    }
    at
}

/// Fills a word of which four bytes are wanted.
const SPACES_ABOVE: u64 = u64::from_le_bytes([0, 0, 0, 0, b' ', b' ', b' ', b' ']);

/// Marks the bytes of a word that are a quote, a backslash or a control character, in their highest bits.
///
/// Subtraction borrows from the bytes that follow, so only the first mark is sure to be right. It is the one that counts.
#[inline]
fn special_bytes(word: u64) -> u64 {
    // With one bit flipped the quote is behind the control characters, and the two that follow them are behind the quote.
    let flipped = word ^ (ONES * u64::from(b' ' ^ b'"'));
    let controls_and_quotes = flipped.wrapping_sub(ONES * (u64::from(b' ') + 1)) & !flipped;
    (controls_and_quotes | equal_bytes(word, b'\\')) & HIGHEST
}

/// Marks the bytes of a word that are this one, in their highest bits; the other bits mean nothing.
#[inline]
fn equal_bytes(word: u64, byte: u8) -> u64 {
    let zeros = word ^ (ONES * u64::from(byte));
    zeros.wrapping_sub(ONES) & !zeros
}

const ONES: u64 = u64::from_le_bytes([1; 8]);
const HIGHEST: u64 = u64::from_le_bytes([0x80; 8]);

#[inline]
pub(crate) fn space_end(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(|byte| *byte <= b' ' && matches!(byte, b' ' | b'\n' | b'\t' | b'\r')) {
        at += 1;
    }
    at
}

#[inline]
pub(crate) fn expect(bytes: &[u8], at: usize, wanted: u8) -> Option<usize> {
    (*bytes.get(at)? == wanted).then_some(at + 1)
}

/// The place behind that byte, which may have whitespace before it.
#[inline(always)]
pub(crate) fn behind(bytes: &[u8], at: usize, wanted: u8) -> Option<usize> {
    match bytes.get(at) {
        Some(byte) if *byte == wanted => Some(at + 1),
        // There nearly never is any.
        _ => behind_space(bytes, at, wanted),
    }
}

#[cold]
#[inline(never)]
fn behind_space(bytes: &[u8], at: usize, wanted: u8) -> Option<usize> {
    expect(bytes, space_end(bytes, at), wanted)
}

/// Where the value begins that follows a key.
#[inline(always)]
pub(crate) fn colon_end(bytes: &[u8], at: usize) -> Option<usize> {
    Some(space_end(bytes, behind(bytes, at, b':')?))
}

/// Where a value of any kind stands that begins there.
#[inline(always)]
pub(crate) fn value(bytes: &[u8], at: usize) -> Option<Span> {
    if *bytes.get(at)? != b'"' {
        return value_end(bytes, at).map(|end| Span::new(at, end));
    }
    let end = plain_end(bytes, at + 1);
    match *bytes.get(end)? {
        b'"' => Some(Span::plain(at, end + 1)),
        _ => escaped_end(bytes, end).map(|end| Span::new(at, end)),
    }
}

/// The end of a value of any kind.
#[inline(always)]
pub(crate) fn value_end(bytes: &[u8], at: usize) -> Option<usize> {
    match *bytes.get(at)? {
        b'"' => string_end(bytes, at),
        b'{' | b'[' => container_end(bytes, at),
        _ => bare_end(bytes, at),
    }
}

/// The end of an object or array that nobody looks into.
///
/// Most hold no others, and then nothing has to be known of what is open.
#[inline(never)]
fn container_end(bytes: &[u8], start: usize) -> Option<usize> {
    if bytes[start] != b'{' {
        return nested_end(bytes, start, Nesting::default());
    }
    let mut at = space_end(bytes, start + 1);
    if *bytes.get(at)? == b'}' {
        return Some(at + 1);
    }
    loop {
        at = key_end(bytes, at)?;
        at = match *bytes.get(at)? {
            b'"' => string_end(bytes, at)?,
            b'{' | b'[' => return nested_end(bytes, at, Nesting::in_object()),
            _ => bare_end(bytes, at)?,
        };
        at = space_end(bytes, at);
        match *bytes.get(at)? {
            b',' => at += 1,
            b'}' => return Some(at + 1),
            _ => return None,
        }
    }
}

/// The end of a value and of all that is open around it, however deep that is.
#[inline(never)]
fn nested_end(bytes: &[u8], mut at: usize, mut open: Nesting) -> Option<usize> {
    loop {
        match *bytes.get(at)? {
            bracket @ (b'{' | b'[') => {
                let is_object = bracket == b'{';
                at = space_end(bytes, at + 1);
                if *bytes.get(at)? != closing(is_object) {
                    open.push(is_object);
                    at = if is_object { key_end(bytes, at)? } else { at };
                    continue;
                }
                at += 1;
            }
            b'"' => at = string_end(bytes, at)?,
            _ => at = bare_end(bytes, at)?,
        }
        // A value has ended, and perhaps what it stands in.
        loop {
            let Some(is_object) = open.innermost() else {
                return Some(at);
            };
            at = space_end(bytes, at);
            match *bytes.get(at)? {
                b',' => {
                    at = if is_object { key_end(bytes, at + 1)? } else { space_end(bytes, at + 1) };
                    break;
                }
                bracket if bracket == closing(is_object) => open.pop(),
                _ => return None,
            }
            at += 1;
        }
    }
}

/// Reads a key that nobody looks at. It must be a text all the same.
#[inline]
fn key_end(bytes: &[u8], at: usize) -> Option<usize> {
    colon_end(bytes, string_end(bytes, at)?)
}

fn closing(is_object: bool) -> u8 {
    if is_object { b'}' } else { b']' }
}

/// The end of a string, which may have whitespace before it.
#[inline(always)]
fn string_end(bytes: &[u8], at: usize) -> Option<usize> {
    let end = plain_end(bytes, behind(bytes, at, b'"')?);
    if *bytes.get(end)? == b'"' { Some(end + 1) } else { escaped_end(bytes, end) }
}

/// The end of a string, from its first escape on.
#[cold]
pub(crate) fn escaped_end(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        match *bytes.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => at = plain_end(bytes, escape_end(bytes, at + 1)?),
            _ => return None,
        }
    }
}

/// The end of what follows a backslash. Whether surrogates come in pairs is for those who want the text.
fn escape_end(bytes: &[u8], at: usize) -> Option<usize> {
    match *bytes.get(at)? {
        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Some(at + 1),
        b'u' => bytes.get(at + 1..at + 5)?.iter().all(u8::is_ascii_hexdigit).then_some(at + 5),
        _ => None,
    }
}

/// The end of what has no quotes or brackets around it.
#[inline(always)]
fn bare_end(bytes: &[u8], at: usize) -> Option<usize> {
    match *bytes.get(at)? {
        b'0'..=b'9' => number_end(bytes, at),
        _ => signed_or_word_end(bytes, at),
    }
}

#[inline(never)]
fn signed_or_word_end(bytes: &[u8], at: usize) -> Option<usize> {
    match *bytes.get(at)? {
        b'-' => number_end(bytes, at + 1),
        b't' => word_end(bytes, at, b"true"),
        b'f' => word_end(bytes, at, b"false"),
        b'n' => word_end(bytes, at, b"null"),
        _ => None,
    }
}

fn word_end(bytes: &[u8], at: usize, word: &[u8]) -> Option<usize> {
    bytes.get(at..)?.starts_with(word).then_some(at + word.len())
}

/// The end of a number without its sign.
#[inline(always)]
fn number_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut end = start;
    while let Some(byte) = bytes.get(end) {
        match byte {
            b'0'..=b'9' => end += 1,
            // Most numbers are whole. No digits follow a zero.
            b',' | b'}' | b']' if end == start + 1 || (end > start && bytes[start] != b'0') => return Some(end),
            _ => break,
        }
    }
    odd_number_end(bytes, start)
}

/// The end of a number that is perhaps not whole, or of something else.
#[cold]
#[inline(never)]
fn odd_number_end(bytes: &[u8], start: usize) -> Option<usize> {
    let end = digits_end(bytes, start)?;
    if bytes[start] == b'0' && end > start + 1 {
        return None;
    }
    fraction_end(bytes, end)
}

/// The end of a number whose whole part has ended, and that perhaps has no other.
fn fraction_end(bytes: &[u8], mut at: usize) -> Option<usize> {
    if bytes.get(at) == Some(&b'.') {
        at = digits_end(bytes, at + 1)?;
    }
    if matches!(bytes.get(at), Some(b'e' | b'E')) {
        at += 1 + usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
        at = digits_end(bytes, at)?;
    }
    Some(at)
}

/// The end of digits, of which there is at least one.
#[inline]
fn digits_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut at = start;
    while bytes.get(at).is_some_and(u8::is_ascii_digit) {
        at += 1;
    }
    (at > start).then_some(at)
}
