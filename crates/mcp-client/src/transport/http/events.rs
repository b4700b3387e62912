//! Server-sent events, decoded from chunks of bytes in bounded memory.

use memchr::memchr2;

/// The number of bytes that are kept of an event that is too long, to find the request that it answers.
const HEAD: usize = 4096;

const BOM: &[u8] = b"\xef\xbb\xbf";

/// Turns chunks of bytes into events.
#[derive(Debug)]
pub(crate) struct Decoder {
    limit: usize,
    line: Vec<u8>,
    /// The length of the whole line. If the line is too long, fewer bytes are kept.
    line_length: usize,
    data: Vec<u8>,
    data_length: usize,
    has_data: bool,
    kind: Vec<u8>,
    /// The id of the last event, to resume the stream after it.
    last_id: Option<String>,
    /// The time until the stream may be resumed, in milliseconds.
    retry: Option<u64>,
    /// Whether the last byte was a carriage return. A line feed after it belongs to the same line end.
    after_return: bool,
    at_start: bool,
}

/// One event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// An event with its data.
    Whole { kind: String, data: Vec<u8> },
    /// An event that was over the limit. Only its beginning is kept.
    TooLong { head: Vec<u8>, length: usize },
}

impl Decoder {
    /// Creates a decoder for events of at most `limit` bytes.
    pub(crate) fn new(limit: usize) -> Decoder {
        Decoder {
            limit,
            line: Vec::new(),
            line_length: 0,
            data: Vec::new(),
            data_length: 0,
            has_data: false,
            kind: Vec::new(),
            last_id: None,
            retry: None,
            after_return: false,
            at_start: true,
        }
    }

    /// Creates a decoder for a stream that resumes the stream of another decoder.
    pub(crate) fn after(other: &Decoder, limit: usize) -> Decoder {
        Decoder { last_id: other.last_id.clone(), retry: other.retry, ..Decoder::new(limit) }
    }

    /// Returns the id of the last event, if it had one.
    pub(crate) fn last_id(&self) -> Option<&str> {
        self.last_id.as_deref()
    }

    /// Returns the server's delay before the stream may be resumed, in milliseconds.
    pub(crate) fn retry(&self) -> Option<u64> {
        self.retry
    }

    /// Decodes the next event and removes its bytes from `chunk`. Returns `None` when `chunk` is empty and more bytes are needed.
    pub(crate) fn next(&mut self, chunk: &mut &[u8]) -> Option<Event> {
        loop {
            if std::mem::take(&mut self.after_return) {
                match chunk.first() {
                    Some(b'\n') => *chunk = &chunk[1..],
                    Some(_) => {}
                    None => {
                        self.after_return = true;
                        return None;
                    }
                }
            }
            let Some(end) = memchr2(b'\n', b'\r', chunk) else {
                self.keep(chunk);
                *chunk = &[];
                return None;
            };
            self.keep(&chunk[..end]);
            self.after_return = chunk[end] == b'\r';
            *chunk = &chunk[end + 1..];
            if let Some(event) = self.end_line() {
                return Some(event);
            }
        }
    }

    /// Appends a piece to the current line. If the line is too long, only its beginning is kept.
    fn keep(&mut self, piece: &[u8]) {
        self.line_length += piece.len();
        // 16 bytes more than the limit, for the name of the field.
        let room = if self.line_length <= self.limit + 16 { piece.len() } else { HEAD.saturating_sub(self.line.len()) };
        self.line.extend_from_slice(&piece[..room.min(piece.len())]);
        if self.line_length > self.limit + 16 {
            self.line.truncate(HEAD);
            self.line.shrink_to(HEAD);
        }
    }

    fn end_line(&mut self) -> Option<Event> {
        let (mut line, length) = (std::mem::take(&mut self.line), std::mem::take(&mut self.line_length));
        // The number of bytes of a line that is too long and was not kept.
        let cut = length - line.len();
        if std::mem::take(&mut self.at_start) && line.starts_with(BOM) {
            line.drain(..BOM.len());
        }
        if line.is_empty() {
            return self.dispatch();
        }
        let (name, value) = match line.iter().position(|byte| *byte == b':') {
            // A comment.
            Some(0) => return None,
            Some(colon) => {
                let value = &line[colon + 1..];
                (&line[..colon], value.strip_prefix(b" ").unwrap_or(value))
            }
            None => (&line[..], &[][..]),
        };
        match name {
            b"data" => self.add_data(value, cut),
            b"event" => self.kind = value[..value.len().min(HEAD)].to_vec(),
            b"id" if !value.contains(&0) && value.len() <= HEAD => {
                self.last_id = std::str::from_utf8(value).ok().map(str::to_owned);
            }
            b"retry" => self.retry = std::str::from_utf8(value).ok().and_then(|text| text.parse().ok()).or(self.retry),
            _ => {}
        }
        None
    }

    /// Appends a line to the data. `cut` is the number of bytes that are missing at its end.
    fn add_data(&mut self, value: &[u8], cut: usize) {
        if self.has_data {
            self.data_length += 1;
        }
        self.data_length += value.len() + cut;
        if self.data_length <= self.limit {
            if self.has_data {
                self.data.push(b'\n');
            }
            self.data.extend_from_slice(value);
        } else {
            let room = HEAD.saturating_sub(self.data.len()).min(value.len());
            self.data.extend_from_slice(&value[..room]);
            self.data.truncate(HEAD);
            self.data.shrink_to(HEAD);
        }
        self.has_data = true;
    }

    fn dispatch(&mut self) -> Option<Event> {
        let kind = std::mem::take(&mut self.kind);
        if !std::mem::take(&mut self.has_data) {
            return None;
        }
        let (data, length) = (std::mem::take(&mut self.data), std::mem::take(&mut self.data_length));
        if length > self.limit {
            return Some(Event::TooLong { head: data, length });
        }
        let kind = if kind.is_empty() { "message".to_owned() } else { String::from_utf8_lossy(&kind).into_owned() };
        Some(Event::Whole { kind, data })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn decode<'a>(limit: usize, chunks: impl IntoIterator<Item = &'a [u8]>) -> (Vec<Event>, Decoder) {
        let (mut decoder, mut events) = (Decoder::new(limit), Vec::new());
        for mut chunk in chunks {
            while let Some(event) = decoder.next(&mut chunk) {
                events.push(event);
            }
        }
        (events, decoder)
    }

    fn whole(kind: &str, data: &str) -> Event {
        Event::Whole { kind: kind.to_owned(), data: data.as_bytes().to_vec() }
    }

    #[test]
    fn fields_comments_and_line_ends_are_decoded_as_the_standard_says() {
        let text = "\u{feff}: hello\nevent: endpoint\ndata: /post\n\nid: 7\r\nretry: 1500\r\ndata: a\r\ndata:b\r\n\r\ndata\rdata\r\r\nunknown: x\n\n";
        let (events, decoder) = decode(1000, [text.as_bytes()]);
        assert_eq!(events, [whole("endpoint", "/post"), whole("message", "a\nb"), whole("message", "\n")]);
        assert_eq!((decoder.last_id(), decoder.retry()), (Some("7"), Some(1500)));
    }

    #[test]
    fn an_event_that_is_too_long_is_reported_and_the_next_one_is_whole() {
        let mut text = b"data: {\"id\":1}".to_vec();
        text.extend(vec![b'x'; 100_000]);
        text.extend(b"\n\ndata: next\n\n");
        for size in [1, 7, 64 << 10] {
            let (events, _) = decode(50_000, text.chunks(size));
            assert!(
                matches!(&events[0], Event::TooLong { head, length } if head.starts_with(b"{\"id\":1}") && *length > 100_000)
            );
            assert_eq!(events[1], whole("message", "next"));
        }
    }

    #[test]
    fn an_event_of_exactly_the_limit_is_whole() {
        for (text, expected) in [
            (format!("data: {}\n\n", "x".repeat(5000)), 5000),
            (format!("\u{feff}data:{}\n\n", "x".repeat(5000)), 5000),
            (format!("data: {}\n\n", "x".repeat(5001)), 5001),
            ("data: xxxx\n".repeat(1000) + "\n", 4999),
            ("data: xxxx\n".repeat(1001) + "\n", 5004),
        ] {
            let (events, _) = decode(5000, text.as_bytes().chunks(999));
            let length = match &events[..] {
                [Event::Whole { data, .. }] if expected <= 5000 => data.len(),
                [Event::TooLong { length, .. }] if expected > 5000 => *length,
                other => panic!("{expected}: {other:?}"),
            };
            assert_eq!(length, expected);
        }
    }

    /// Returns the events of a complete stream by the algorithm of the HTML standard: kind and data, or the length over the limit.
    fn model(bytes: &[u8], limit: usize) -> Vec<Result<(String, Vec<u8>), usize>> {
        let text = bytes.strip_prefix(BOM).unwrap_or(bytes);
        let text = String::from_utf8_lossy(text).replace("\r\n", "\n").replace('\r', "\n");
        let (mut events, mut data, mut kind) = (Vec::new(), Vec::<&str>::new(), "");
        for line in text.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n')) {
            let (name, value) = line.split_once(':').unwrap_or((line, ""));
            let value = value.strip_prefix(' ').unwrap_or(value);
            match name {
                "data" => data.push(value),
                "event" => kind = value,
                "" if line.is_empty() => {
                    let (lines, kind) = (std::mem::take(&mut data), std::mem::take(&mut kind));
                    let whole = lines.join("\n").into_bytes();
                    let kind = if kind.is_empty() { "message" } else { kind }.to_owned();
                    if !lines.is_empty() {
                        events.push(if whole.len() > limit { Err(whole.len()) } else { Ok((kind, whole)) });
                    }
                }
                _ => {}
            }
        }
        events
    }

    #[test]
    fn an_event_without_end_takes_no_more_memory_than_the_limit() {
        let mut decoder = Decoder::new(1 << 20);
        let block = b"data: ".iter().copied().chain(std::iter::repeat_n(b'x', 1000)).chain([b'\n']).collect::<Vec<_>>();
        for _ in 0..10_000 {
            assert_eq!(decoder.next(&mut &block[..]), None);
            assert!(decoder.data.capacity() <= 2 << 20);
        }
        let line = vec![b'x'; 64 << 10];
        for _ in 0..1000 {
            assert_eq!(decoder.next(&mut &line[..]), None);
            assert!(decoder.line.capacity() <= 3 << 20);
        }
    }

    proptest! {
        #[test]
        fn every_split_gives_the_events_of_the_standard(
            pieces in proptest::collection::vec(prop_oneof![
                Just("data: a"), Just("data:"), Just("\n"), Just("\r"), Just("\r\n"), Just("\n\n"), Just("id: 3"),
                Just("event: e"), Just(": c"), Just("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"), Just("\u{feff}")], 0..40),
            cuts in proptest::collection::vec(any::<proptest::sample::Index>(), 0..20),
        ) {
            let bytes = pieces.concat().into_bytes();
            let mut at: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
            at.extend([0, bytes.len()]);
            at.sort_unstable();
            let parts = at.windows(2).map(|pair| &bytes[pair[0]..pair[1]]);
            let events = decode(30, parts).0.into_iter().map(|event| match event {
                Event::Whole { kind, data } => Ok((kind, data)),
                Event::TooLong { length, .. } => Err(length),
            });
            prop_assert_eq!(events.collect::<Vec<_>>(), model(&bytes, 30));
        }
    }
}
