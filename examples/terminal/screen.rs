//! The terminal output.

use std::fmt::Write as _;
use std::io::{IsTerminal as _, Write as _, stdout};
use std::time::Instant;

use mcp_agent::Message;
use mcp_agent::builtin::Builtin;
use mcp_agent::fold::{Fold, ToolCall};

/// The state of the terminal output and the totals of the session.
pub(crate) struct Screen {
    pub(crate) fold: Fold,
    is_terminal: bool,
    pub(crate) is_mid_line: bool,
    has_progress: bool,
    pub(crate) since: Instant,
    /// The tokens in the context of the last answer, and the size of the context window.
    context: (u64, u64),
}

impl Screen {
    pub(crate) fn new() -> Screen {
        let is_terminal = stdout().is_terminal();
        let fold = Fold::new();
        Screen { fold, is_terminal, is_mid_line: false, has_progress: false, since: Instant::now(), context: (0, 0) }
    }

    /// Prints text after the previous text. Control characters of the text have no effect.
    pub(crate) fn put(&mut self, text: &str) {
        self.clear_progress();
        print!("{}", harmless(text));
        let _ = stdout().flush();
        self.is_mid_line = !text.ends_with('\n');
    }

    /// Prints text on its own line.
    pub(crate) fn line(&mut self, text: &str) {
        self.clear_progress();
        let start = if self.is_mid_line { "\n" } else { "" };
        self.put(&format!("{start}{text}\n"));
    }

    /// Shows a status line that the next text overwrites. Prints nothing if the output is not a terminal.
    pub(crate) fn progress(&mut self) {
        if !self.is_terminal || self.is_mid_line {
            return;
        }
        let doing = self.fold.running().last().map_or("thinking", |call| call.name.as_str());
        // A wrapped line could not be erased, so the text is truncated.
        let doing: String = plain(doing).chars().take(40).collect();
        let tokens: u64 = self.fold.tally().since_result().values().map(|tokens| tokens.output).sum();
        print!("\r\x1b[K\x1b[2m… {doing}, {} s, {tokens} tokens\x1b[0m", self.since.elapsed().as_secs());
        let _ = stdout().flush();
        self.has_progress = true;
    }

    pub(crate) fn clear_progress(&mut self) {
        if std::mem::take(&mut self.has_progress) {
            print!("\r\x1b[K");
        }
    }

    pub(crate) fn show(&mut self, message: &Message) {
        self.fold.feed(message);
        match message {
            Message::Stream(partial) if partial.parent_tool_use_id.is_none() => {
                if let Some(text) = partial.text_delta() {
                    self.put(text);
                }
            }
            Message::Assistant(assistant) => {
                let usage = &assistant.message.usage;
                let read = usage.input_tokens + usage.cache_read_input_tokens + usage.cache_creation_input_tokens;
                if assistant.parent_tool_use_id.is_none() && read > 0 {
                    self.context.0 = read + usage.output_tokens;
                }
                for call in assistant.message.content.tool_uses() {
                    self.line(&format!("● {}", short(&call.builtin())));
                }
            }
            Message::User(user) => {
                let results = user.message.content.tool_results().filter_map(|result| self.fold.call(&result.tool_use_id));
                for line in results.map(outcome).collect::<Vec<_>>() {
                    self.line(&line);
                }
            }
            Message::Result(result) => {
                let windows = result.model_usage.values().map(|usage| usage.context_window);
                self.context.1 = windows.max().filter(|window| *window > 0).unwrap_or(self.context.1);
            }
            _ => {}
        }
    }

    /// Formats the use of the context window.
    pub(crate) fn meter(&self) -> String {
        match self.context {
            (used, 0) => format!("context: {used} tokens"),
            (used, window) => format!("context: {used} of {window} tokens, {} %", 100 * used / window),
        }
    }

    /// Formats the totals so far: turns, tokens and cost.
    pub(crate) fn bill(&self) -> String {
        let (tally, tokens) = (self.fold.tally(), self.fold.tally().tokens());
        let read = tokens.total() - tokens.output;
        let turns = if tally.turns() == 1 { "turn" } else { "turns" };
        format!("{} {turns}, {read} tokens read, {} written, ${:.4}", tally.turns(), tokens.output, tally.cost_usd())
    }
}

/// Describes a tool use on one line.
pub(crate) fn short(tool: &Builtin) -> String {
    format!("{} {}", tool.name(), plain(&subject(tool)).chars().take(100).collect::<String>())
}

/// Returns what a tool use is about: the command, the file, or the whole input.
pub(crate) fn subject(tool: &Builtin) -> String {
    match tool {
        Builtin::Bash(bash) => bash.command.clone(),
        Builtin::Read(read) => read.file_path.clone(),
        Builtin::Write(write) => write.file_path.clone(),
        Builtin::Edit(edit) => edit.file_path.clone(),
        other => other.to_input().to_string(),
    }
}

fn outcome(call: &ToolCall) -> String {
    let text = call.result_text().unwrap_or_default();
    let first: String = plain(text.lines().next().unwrap_or_default()).chars().take(100).collect();
    let failed = call.outcome.as_ref().is_some_and(|outcome| outcome.is_error);
    format!("  {} {first}", if failed { "✗" } else { "→" })
}

/// Makes control characters visible, so that text of the model cannot control the terminal: escape sequences could clear the
/// screen, change the clipboard or imitate a question. Line breaks and tabs are kept.
pub(crate) fn harmless(text: &str) -> String {
    let kept = text.chars().filter(|c| *c != '\r');
    kept.map(|c| if c.is_control() && !matches!(c, '\n' | '\t') { symbol(c) } else { c }).collect()
}

/// Returns text for one line of a question. Control characters are visible, and so are characters that have no width or change
/// the order in which others are shown: a command must look as it is.
pub(crate) fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\t' => out.push(c),
            c if c.is_control() => out.push(symbol(c)),
            '\u{ad}'
            | '\u{61c}'
            | '\u{180e}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{e0000}'..='\u{e007f}' => {
                let _ = write!(out, "<U+{:04X}>", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out
}

/// Returns a symbol for a control character, for instance `␛` for the escape character.
fn symbol(c: char) -> char {
    let picture = match u32::from(c) {
        code @ 0..0x20 => char::from_u32(0x2400 + code),
        0x7f => Some('\u{2421}'),
        _ => None,
    };
    picture.unwrap_or('\u{fffd}')
}
