//! One entry more in a JSON file that people write by hand: everything else stays as it is, comments and order included.

use std::fmt;

use serde_json::Value;

/// Why a file was not changed.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum EditError {
    /// It cannot be read as JSON, not even with comments; the offset is in bytes.
    NotJson { at: usize },
    /// What should be an object is something else.
    NotAnObject { key: String },
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EditError::NotJson { at } => write!(f, "it is no JSON, from byte {at} on"),
            EditError::NotAnObject { key } if key.is_empty() => f.write_str("it holds no JSON object"),
            EditError::NotAnObject { key } => write!(f, "its `{key}` is no JSON object"),
        }
    }
}

impl std::error::Error for EditError {}

/// The text with `{key: {name: entry}}` in it, in the place of an entry of that name if there is one.
pub(super) fn with_entry(text: &str, key: &str, name: &str, entry: &Value) -> Result<String, EditError> {
    if text.trim().is_empty() {
        return Ok(format!("{:#}\n", serde_json::json!({key: {name: entry}})));
    }
    let mut scan = Scan { bytes: text.as_bytes(), at: 0 };
    let root = scan.document()?.object("")?;
    let indent = root.indent(text).unwrap_or_else(|| "  ".to_owned());
    let Some(servers) = root.member(text, key) else {
        return Ok(root.with_member(text, key, &serde_json::json!({name: entry}), &indent, 1));
    };
    let servers = Scan { bytes: text.as_bytes(), at: servers.0 }.value()?.object(key)?;
    match servers.member(text, name) {
        Some((start, end)) if serde_json::from_str::<Value>(&text[start..end]).is_ok_and(|old| old == *entry) => {
            Ok(text.to_owned())
        }
        Some((start, end)) => Ok(format!("{}{}{}", &text[..start], pretty(entry, &indent, 2), &text[end..])),
        None => Ok(servers.with_member(text, name, entry, &indent, 2)),
    }
}

/// A value, written with this indentation, as deep inside.
fn pretty(value: &Value, indent: &str, deep: usize) -> String {
    let lines = format!("{value:#}");
    let mut lines = lines.lines();
    let first = lines.next().unwrap_or_default().to_owned();
    lines.fold(first, |text, line| {
        let bare = line.trim_start();
        let level = (line.len() - bare.len()) / 2;
        format!("{text}\n{}{bare}", indent.repeat(deep + level))
    })
}

/// Where something stands in the text.
enum Found {
    Object(Object),
    Other,
}

impl Found {
    fn object(self, key: &str) -> Result<Object, EditError> {
        match self {
            Found::Object(object) => Ok(object),
            Found::Other => Err(EditError::NotAnObject { key: key.to_owned() }),
        }
    }
}

/// An object: where it begins, its members, and where something can be added.
struct Object {
    open: usize,
    /// The key and the value of each, from here to there.
    members: Vec<((usize, usize), (usize, usize))>,
    /// The last comma is there already.
    trailing_comma: bool,
    close: usize,
}

impl Object {
    fn member(&self, text: &str, key: &str) -> Option<(usize, usize)> {
        let is_it =
            |(start, end): (usize, usize)| serde_json::from_str::<String>(&text[start..end]).is_ok_and(|found| found == key);
        // Of two with one name the last one counts, as in every parser.
        self.members.iter().rev().find(|(name, _)| is_it(*name)).map(|(_, value)| *value)
    }

    /// How the first member is indented, if it stands on a line of its own.
    fn indent(&self, text: &str) -> Option<String> {
        let ((start, _), _) = self.members.first()?;
        let (_, before) = text[self.open..*start].rsplit_once('\n')?;
        Some(before.to_owned()).filter(|blank| !blank.is_empty() && blank.trim().is_empty())
    }

    fn with_member(&self, text: &str, key: &str, value: &Value, indent: &str, deep: usize) -> String {
        let member = format!("\n{}{}: {}", indent.repeat(deep), Value::from(key), pretty(value, indent, deep));
        let Some((_, (_, end))) = self.members.last() else {
            let close = format!("\n{}", indent.repeat(deep - 1));
            return format!("{}{member}{close}{}", &text[..=self.open], &text[self.close..]);
        };
        // Comments behind the last member are about that one, so ours comes after them.
        let tail = &text[*end..self.close];
        let kept = tail.trim_end();
        let (before, after) = if self.trailing_comma { ("", ",") } else { (",", "") };
        // On one line with its bracket, the last member must give it a line of its own.
        let blank = &tail[kept.len()..];
        let close = if blank.contains('\n') { blank.to_owned() } else { format!("\n{}", indent.repeat(deep - 1)) };
        format!("{}{before}{kept}{member}{after}{close}{}", &text[..*end], &text[self.close..])
    }
}

/// Reads JSON with comments and trailing commas, and remembers only where things are.
struct Scan<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Scan<'_> {
    fn document(&mut self) -> Result<Found, EditError> {
        // A byte order mark is no white space for JSON, but editors leave it.
        if self.bytes.starts_with(b"\xef\xbb\xbf") {
            self.at = 3;
        }
        let found = self.value()?;
        self.blank()?;
        if self.at == self.bytes.len() { Ok(found) } else { Err(self.fault()) }
    }

    fn value(&mut self) -> Result<Found, EditError> {
        self.blank()?;
        match self.peek() {
            Some(b'{') => self.object().map(Found::Object),
            Some(b'[') => self.array().map(|()| Found::Other),
            Some(b'"') => self.string().map(|_| Found::Other),
            Some(_) => self.word().map(|()| Found::Other),
            None => Err(self.fault()),
        }
    }

    fn object(&mut self) -> Result<Object, EditError> {
        let mut object = Object { open: self.at, members: Vec::new(), trailing_comma: false, close: 0 };
        self.at += 1;
        loop {
            self.blank()?;
            if self.peek() == Some(b'}') {
                object.close = self.at;
                self.at += 1;
                return Ok(object);
            }
            if !object.members.is_empty() && !object.trailing_comma {
                return Err(self.fault());
            }
            let key = self.string()?;
            self.blank()?;
            self.expect(b':')?;
            self.blank()?;
            let start = self.at;
            self.value()?;
            object.members.push((key, (start, self.at)));
            self.blank()?;
            object.trailing_comma = self.peek() == Some(b',');
            self.at += usize::from(object.trailing_comma);
        }
    }

    fn array(&mut self) -> Result<(), EditError> {
        self.at += 1;
        let mut more = true;
        loop {
            self.blank()?;
            if self.peek() == Some(b']') {
                self.at += 1;
                return Ok(());
            }
            if !more {
                return Err(self.fault());
            }
            self.value()?;
            self.blank()?;
            more = self.peek() == Some(b',');
            self.at += usize::from(more);
        }
    }

    /// From quote to quote.
    fn string(&mut self) -> Result<(usize, usize), EditError> {
        let start = self.at;
        self.expect(b'"')?;
        loop {
            match self.peek().ok_or_else(|| self.fault())? {
                b'"' => break,
                b'\\' => self.at += 2,
                _ => self.at += 1,
            }
        }
        self.at += 1;
        Ok((start, self.at))
    }

    /// A number, `true`, `false` or `null`.
    fn word(&mut self) -> Result<(), EditError> {
        let rest = &self.bytes[self.at..];
        let length =
            rest.iter().position(|byte| !byte.is_ascii_alphanumeric() && !b"+-.".contains(byte)).unwrap_or(rest.len());
        if serde_json::from_slice::<Value>(&rest[..length]).is_err() {
            return Err(self.fault());
        }
        self.at += length;
        Ok(())
    }

    /// White space and comments.
    fn blank(&mut self) -> Result<(), EditError> {
        loop {
            let rest = &self.bytes[self.at..];
            let length = match rest {
                [b' ' | b'\t' | b'\n' | b'\r', ..] => 1,
                [b'/', b'/', ..] => rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len()),
                [b'/', b'*', inner @ ..] => inner.windows(2).position(|pair| pair == b"*/").ok_or_else(|| self.fault())? + 4,
                _ => return Ok(()),
            };
            self.at += length;
        }
    }

    fn expect(&mut self, byte: u8) -> Result<(), EditError> {
        if self.peek() != Some(byte) {
            return Err(self.fault());
        }
        self.at += 1;
        Ok(())
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn fault(&self) -> EditError {
        EditError::NotJson { at: self.at.min(self.bytes.len()) }
    }
}

#[cfg(test)]
mod tests;
