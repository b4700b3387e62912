//! Shows the progress and log notifications of a running tool call on stderr.

use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, PoisonError};

use mcp_core::transport::{Outbox, Outgoing};
use serde_json::Value;

/// The length of the bar in characters.
const WIDTH: usize = 24;

/// Moves the cursor to the start of the line and clears the line.
const CLEAR_LINE: &str = "\r\x1b[K";

/// Draws progress as a bar if stderr is a terminal. Log messages are always written to stderr.
#[derive(Debug, Default)]
pub struct ProgressBar {
    /// The bar that is on the terminal now. Empty if there is none.
    line: Mutex<String>,
}

impl Outbox for ProgressBar {
    fn send(&self, message: Outgoing) {
        let Ok(message) = serde_json::from_slice::<Value>(message.as_bytes()) else {
            return;
        };
        let params = &message["params"];
        match message["method"].as_str() {
            Some("notifications/progress") => self.progress(params),
            Some("notifications/message") => self.log(params),
            _ => {}
        }
    }
}

impl ProgressBar {
    /// Draws the parameters of a progress notification.
    pub fn progress(&self, params: &Value) {
        self.draw(render(params));
    }

    /// Writes a line to stderr, and draws the bar again below it.
    pub fn write_line(&self, line: &str) {
        let shown = self.line.lock().unwrap_or_else(PoisonError::into_inner);
        let (before, after) = if shown.is_empty() { ("", "") } else { (CLEAR_LINE, shown.as_str()) };
        // A failed write must not stop the call.
        let _ = write!(io::stderr(), "{before}{line}\n{after}");
    }

    /// Removes the bar from the terminal.
    pub fn clear(&self) {
        self.draw(String::new());
    }

    fn draw(&self, line: String) {
        if !io::stderr().is_terminal() {
            return;
        }
        let mut shown = self.line.lock().unwrap_or_else(PoisonError::into_inner);
        if *shown != line {
            // The bar is optional: a failed write must not stop the call.
            let _ = write!(io::stderr(), "{CLEAR_LINE}{line}");
            *shown = line;
        }
    }

    fn log(&self, params: &Value) {
        let text = params["data"].as_str().map_or_else(|| params["data"].to_string(), str::to_owned);
        self.write_line(&format!("{}: {text}", params["level"].as_str().unwrap_or("info")));
    }
}

/// Renders `[########----------------]  33 % message`. Without a known total there is no bar, only the number.
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
    fn progress_is_rendered_as_a_bar_of_limited_length() {
        assert_eq!(render(&json!({"progress": 1, "total": 3, "message": "one"})), "[########----------------]  33 % one");
        assert_eq!(render(&json!({"progress": 9, "total": 3})), "[########################] 100 %");
        assert_eq!(render(&json!({"progress": 7, "message": "a\u{1b}[2Jb"})), "7 a [2Jb");
        assert_eq!(render(&json!({"progress": 1, "total": 1, "message": "x".repeat(200)})).chars().count(), 78);
    }
}
