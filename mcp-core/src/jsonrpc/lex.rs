//! Finds the ends of JSON values, strings and numbers.
//!
//! Each function takes the index where an element begins and returns the index after its end, or `None` if there is no valid
//! element at that index.

use super::Span;
use super::nesting::Nesting;

/// Returns whether a text needs no escapes in a JSON string.
pub(crate) fn is_plain(text: &str) -> bool {
    plain_end(text.as_bytes(), 0) == text.len()
}

/// Returns the index of the first quote, backslash or control character at or after `at`, or the length if there is none.
///
/// Checks eight bytes at a time, because most bytes of a message are the text of strings.
#[inline]
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

/// Like [`plain_end`], for the last bytes, which are fewer than eight.
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

/// Fills the upper half of a word when only four bytes are checked.
const SPACES_ABOVE: u64 = u64::from_le_bytes([0, 0, 0, 0, b' ', b' ', b' ', b' ']);

/// Sets the highest bit of each byte that is a quote, a backslash or a control character.
///
/// The subtractions borrow across bytes, so only the lowest bit that is set is reliable. The caller uses only that one.
#[inline]
fn special_bytes(word: u64) -> u64 {
    // Flipping this bit moves the quote to 0x20, directly after the control characters, so that one comparison finds both.
    let flipped = word ^ (ONES * u64::from(b' ' ^ b'"'));
    let controls_and_quotes = flipped.wrapping_sub(ONES * (u64::from(b' ') + 1)) & !flipped;
    (controls_and_quotes | equal_bytes(word, b'\\')) & HIGHEST
}

/// Sets the highest bit of each byte that is equal to `byte`. The other bits have no meaning.
#[inline]
fn equal_bytes(word: u64, byte: u8) -> u64 {
    let zeros = word ^ (ONES * u64::from(byte));
    zeros.wrapping_sub(ONES) & !zeros
}

const ONES: u64 = u64::from_le_bytes([1; 8]);
const HIGHEST: u64 = u64::from_le_bytes([0x80; 8]);

/// Skips whitespace.
#[inline]
pub(crate) fn space_end(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(|byte| *byte <= b' ' && matches!(byte, b' ' | b'\n' | b'\t' | b'\r')) {
        at += 1;
    }
    at
}

/// Skips the byte `wanted`, which must be at `at`.
#[inline]
pub(crate) fn expect(bytes: &[u8], at: usize, wanted: u8) -> Option<usize> {
    (*bytes.get(at)? == wanted).then_some(at + 1)
}

/// Skips whitespace and the byte `wanted`.
#[inline]
pub(crate) fn after(bytes: &[u8], at: usize, wanted: u8) -> Option<usize> {
    expect(bytes, space_end(bytes, at), wanted)
}

/// Skips the colon after a key, and the whitespace around it.
#[inline]
pub(crate) fn colon_end(bytes: &[u8], at: usize) -> Option<usize> {
    Some(space_end(bytes, after(bytes, at, b':')?))
}

/// Returns the span of the value that begins at `at`.
#[inline]
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

/// Returns the end of the value that begins at `start`.
#[inline]
pub(crate) fn value_end(bytes: &[u8], at: usize) -> Option<usize> {
    match *bytes.get(at)? {
        b'"' => string_end(bytes, at),
        b'{' | b'[' => container_end(bytes, at),
        _ => bare_end(bytes, at),
    }
}

/// Returns the end of an object or array.
///
/// Most objects contain no other objects or arrays. For these the stack of open brackets is not needed.
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

/// Returns the end of the outermost object or array in `open`. A value in the innermost one begins at `at`.
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
        // A value has ended. Close every object and array that ends after it.
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

/// Skips a key, which must be a valid string, and its colon.
#[inline]
fn key_end(bytes: &[u8], at: usize) -> Option<usize> {
    colon_end(bytes, string_end(bytes, at)?)
}

fn closing(is_object: bool) -> u8 {
    if is_object { b'}' } else { b']' }
}

/// Returns the end of a string. Whitespace before it is skipped.
#[inline]
fn string_end(bytes: &[u8], at: usize) -> Option<usize> {
    let end = plain_end(bytes, after(bytes, at, b'"')?);
    if *bytes.get(end)? == b'"' { Some(end + 1) } else { escaped_end(bytes, end) }
}

/// Returns the end of a string that has an escape at `at`.
pub(crate) fn escaped_end(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        match *bytes.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => at = plain_end(bytes, escape_end(bytes, at + 1)?),
            _ => return None,
        }
    }
}

/// Returns the end of an escape sequence, which begins after the backslash at `at`. Unpaired surrogates are not detected here,
/// but when the string is decoded.
fn escape_end(bytes: &[u8], at: usize) -> Option<usize> {
    match *bytes.get(at)? {
        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Some(at + 1),
        b'u' => bytes.get(at + 1..at + 5)?.iter().all(u8::is_ascii_hexdigit).then_some(at + 5),
        _ => None,
    }
}

/// Returns the end of a number, `true`, `false` or `null`.
#[inline]
fn bare_end(bytes: &[u8], at: usize) -> Option<usize> {
    match *bytes.get(at)? {
        b'0'..=b'9' => number_end(bytes, at),
        _ => signed_or_word_end(bytes, at),
    }
}

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

/// Returns the end of a number after its sign.
#[inline]
fn number_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut end = start;
    while let Some(byte) = bytes.get(end) {
        match byte {
            b'0'..=b'9' => end += 1,
            // Fast path for integers. A leading zero must be the only digit.
            b',' | b'}' | b']' if end == start + 1 || (end > start && bytes[start] != b'0') => return Some(end),
            _ => break,
        }
    }
    full_number_end(bytes, start)
}

/// Like [`number_end`], also for fractions and exponents.
fn full_number_end(bytes: &[u8], start: usize) -> Option<usize> {
    let end = digits_end(bytes, start)?;
    if bytes[start] == b'0' && end > start + 1 {
        return None;
    }
    fraction_end(bytes, end)
}

/// Returns the end of the optional fraction and exponent of a number.
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

/// Returns the end of one or more digits.
#[inline]
fn digits_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut at = start;
    while bytes.get(at).is_some_and(u8::is_ascii_digit) {
        at += 1;
    }
    (at > start).then_some(at)
}
