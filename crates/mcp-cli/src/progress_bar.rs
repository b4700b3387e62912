//! What a tool tells while it works: a bar on the terminal, and its log.

use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, PoisonError};

use mcp_core::transport::{Outbox, Outgoing};
use serde_json::Value;

/// How long the bar is.
const WIDTH: usize = 24;

/// Goes back to the beginning of the line and empties it.
const AGAIN: &str = "\r\x1b[K";

/// The progress of a call, shown on stderr where that is a terminal; log messages are shown everywhere.
#[derive(Debug, Default)]
pub(crate) struct ProgressBar {
    /// The line that stands there now.
    line: Mutex<String>,
}

impl Outbox for ProgressBar {
    fn send(&self, message: Outgoing) {
        let Ok(message) = serde_json::from_slice::<Value>(message.as_bytes()) else {
            return;
        };
        let params = &message["params"];
        match message["method"].as_str() {
            Some("notifications/progress") => self.draw(render(params)),
            Some("notifications/message") => self.log(params),
            _ => {}
        }
    }
}

impl ProgressBar {
    /// Takes the bar away.
    pub(crate) fn clear(&self) {
        self.draw(String::new());
    }

    fn draw(&self, line: String) {
        if !io::stderr().is_terminal() {
            return;
        }
        let mut shown = self.line.lock().unwrap_or_else(PoisonError::into_inner);
        if *shown != line {
            // That the bar cannot be drawn is no reason to stop.
            let _ = write!(io::stderr(), "{AGAIN}{line}");
            *shown = line;
        }
    }

    fn log(&self, params: &Value) {
        let text = params["data"].as_str().map_or_else(|| params["data"].to_string(), str::to_owned);
        let line = format!("{}: {text}\n", params["level"].as_str().unwrap_or("info"));
        let shown = self.line.lock().unwrap_or_else(PoisonError::into_inner);
        let (before, after) = if shown.is_empty() { ("", "") } else { (AGAIN, shown.as_str()) };
        // Neither is that the log cannot be written.
        let _ = write!(io::stderr(), "{before}{line}{after}");
    }
}

/// `[########----------------]  33 % message`, or without a bar where nobody knows how much there is.
fn render(params: &Value) -> String {
    let done = params["progress"].as_f64().unwrap_or_default();
    let message = params["message"].as_str().unwrap_or_default().replace(['\n', '\r', '\x1b'], " ");
    let line = match params["total"].as_f64() {
        Some(total) if total > 0.0 => {
            let part = (done / total).clamp(0.0, 1.0);
            let full = (part * WIDTH as f64).round() as usize;
            format!("[{}{}] {:3.0} % {message}", "#".repeat(full), "-".repeat(WIDTH - full), part * 100.0)
        }
        _ => format!("{done} {message}"),
    };
    line.trim_end().chars().take(78).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_bar_is_as_long_as_what_is_done() {
        assert_eq!(render(&json!({"progress": 1, "total": 3, "message": "one"})), "[########----------------]  33 % one");
        assert_eq!(render(&json!({"progress": 9, "total": 3})), "[########################] 100 %");
        assert_eq!(render(&json!({"progress": 7, "message": "a\u{1b}[2Jb"})), "7 a [2Jb");
        assert_eq!(render(&json!({"progress": 1, "total": 1, "message": "x".repeat(200)})).chars().count(), 78);
    }
}
