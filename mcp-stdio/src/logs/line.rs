//! Formats an event as a line of text.

use std::fmt::{Debug, Write};
use std::time::{SystemTime, UNIX_EPOCH};

use tracing::field::{Field, Visit};
use tracing::{Event, Level};

/// The message and the fields of an event or a span, as text.
#[derive(Debug, Default)]
pub(super) struct Fields {
    message: String,
    others: String,
}

impl Fields {
    /// Returns the message followed by the fields.
    pub(super) fn whole(&self) -> String {
        match (self.message.is_empty(), self.others.is_empty()) {
            (true, _) => self.others.clone(),
            (false, true) => self.message.clone(),
            (false, false) => format!("{} {}", self.message, self.others),
        }
    }

    fn add(&mut self, field: &Field, value: &str) {
        if field.name() == "message" {
            self.message = plain(value);
            return;
        }
        let blank = if self.others.is_empty() { "" } else { " " };
        // Writing to a string cannot fail.
        let _ = write!(self.others, "{blank}{}={}", field.name(), plain(value));
    }
}

impl Visit for Fields {
    fn record_str(&mut self, field: &Field, value: &str) {
        if field.name() == "message" { self.add(field, value) } else { self.add(field, &format!("{value:?}")) }
    }

    fn record_error(&mut self, field: &Field, value: &(dyn std::error::Error + 'static)) {
        let mut text = value.to_string();
        let mut cause = value.source();
        while let Some(error) = cause {
            // Writing to a string cannot fail.
            let _ = write!(text, ": {error}");
            cause = error.source();
        }
        self.add(field, &text);
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.add(field, &format!("{value:?}"));
    }
}

/// Returns a line such as `12:34:56.789Z  WARN calc::db: request{id=1}: too slow ms=1200` with a newline.
pub(super) fn render(event: &Event<'_>, spans: &[String], colours: bool) -> String {
    let (metadata, mut fields) = (event.metadata(), Fields::default());
    event.record(&mut fields);
    let level = level(metadata.level(), colours);
    let around: String = spans.iter().map(|span| format!("{span}: ")).collect();
    format!("{} {level} {}: {around}{}\n", time(), metadata.target(), fields.whole())
}

fn level(level: &Level, colours: bool) -> String {
    let colour = match *level {
        Level::ERROR => 31,
        Level::WARN => 33,
        Level::INFO => 32,
        Level::DEBUG => 34,
        Level::TRACE => 35,
    };
    if colours { format!("\x1b[{colour}m{level:>5}\x1b[0m") } else { format!("{level:>5}") }
}

/// Returns the time of day in UTC. The date is left out: log files of clients have it.
fn time() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let seconds = since.as_secs() % 86_400;
    format!("{:02}:{:02}:{:02}.{:03}Z", seconds / 3600, seconds / 60 % 60, seconds % 60, since.subsec_millis())
}

/// Escapes control characters: an event is one line, and text from clients must not contain terminal escape sequences.
fn plain(text: &str) -> String {
    let is_control = |c: char| c.is_control();
    if !text.contains(is_control) {
        return text.to_owned();
    }
    text.chars().flat_map(|c| if is_control(c) { c.escape_default().collect::<Vec<_>>() } else { vec![c] }).collect()
}
