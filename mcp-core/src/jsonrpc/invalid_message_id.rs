//! Finds the id of a message that cannot be parsed.

use super::Id;

/// Returns the value of the top-level key `id`, if it precedes the invalid part.
///
/// Works on any bytes, also on the start of a message that was too long.
pub(super) fn salvage_id(bytes: &[u8]) -> Option<Id> {
    let mut scan = Scan { rest: bytes };
    scan.skip_space();
    scan.take(b'{')?;
    loop {
        scan.skip_space();
        let key = scan.string()?;
        scan.skip_space();
        scan.take(b':')?;
        scan.skip_space();
        if key == b"\"id\"" {
            let value = scan.scalar()?;
            return Id::from_json(std::str::from_utf8(value).ok()?);
        }
        scan.skip_value()?;
        scan.skip_space();
        scan.take(b',')?;
    }
}

/// A cursor over bytes that may not be JSON.
struct Scan<'a> {
    rest: &'a [u8],
}

impl<'a> Scan<'a> {
    fn skip_space(&mut self) {
        self.rest = self.rest.trim_ascii_start();
    }

    fn take(&mut self, byte: u8) -> Option<()> {
        self.rest = self.rest.strip_prefix(&[byte])?;
        Some(())
    }

    fn advance(&mut self, length: usize) -> &'a [u8] {
        let (head, rest) = self.rest.split_at(length);
        self.rest = rest;
        head
    }

    /// Returns a JSON string with its quotes.
    fn string(&mut self) -> Option<&'a [u8]> {
        if self.rest.first() != Some(&b'"') {
            return None;
        }
        let mut at = 1;
        loop {
            at += memchr::memchr2(b'"', b'\\', self.rest.get(at..)?)?;
            if self.rest[at] == b'"' {
                return Some(self.advance(at + 1));
            }
            at += 2;
        }
    }

    /// Reads a string, a number or a word. Something must follow it, otherwise it may be cut off.
    fn scalar(&mut self) -> Option<&'a [u8]> {
        if self.rest.first() == Some(&b'"') {
            return self.string();
        }
        let end = self.rest.iter().position(|byte| matches!(byte, b',' | b'}' | b']' | b' ' | b'\t' | b'\r' | b'\n'))?;
        Some(self.advance(end))
    }

    fn skip_value(&mut self) -> Option<()> {
        let mut depth = 0usize;
        loop {
            match self.rest.first()? {
                b'{' | b'[' => {
                    depth += 1;
                    self.advance(1);
                }
                b'}' | b']' if depth > 0 => {
                    depth -= 1;
                    self.advance(1);
                }
                b'"' => {
                    self.string()?;
                }
                b',' | b':' if depth > 0 => {
                    self.advance(1);
                }
                byte if byte.is_ascii_whitespace() => self.skip_space(),
                b',' | b'}' | b']' | b':' => return None,
                _ => {
                    self.scalar()?;
                }
            }
            if depth == 0 {
                return Some(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(bytes: &[u8]) -> Option<String> {
        salvage_id(bytes).map(|id| id.to_string())
    }

    #[test]
    fn an_id_before_the_invalid_part_is_found() {
        assert_eq!(found(b"{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\xff"), Some("7".into()));
        assert_eq!(found(br#" { "params" : {"id":1,"x":["}",{}]} , "id" : "a\"b" ,"#), Some(r#""a\"b""#.into()));
        assert_eq!(found(br#"{"a":tru,"id":3}"#), Some("3".into()));
    }

    #[test]
    fn truncated_nested_and_invalid_ids_are_not_found() {
        for bytes in [
            &b"{\"id\":12"[..],
            b"{\"id\":\"ab",
            b"{\"x\":{\"id\":1}}",
            b"[{\"id\":1}]",
            b"{\"id\":null}",
            b"{",
            b"",
            b"\xff",
        ] {
            assert_eq!(found(bytes), None, "{bytes:?}");
        }
    }
}
