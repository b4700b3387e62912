//! The numbered messages of the CLI, and the account of what the session has delivered.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mcp_agent::Unread;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::random::Random;

/// The number of bytes of every partial message. They are equal, so that those that were dropped need only be counted.
const PARTIAL: usize = 160;

/// A message with a number.
pub(super) struct Numbered {
    pub(super) line: String,
    is_partial: bool,
}

impl Numbered {
    /// Creates a message of a random type and length.
    fn new(random: &mut Random, number: usize) -> Numbered {
        let delta = json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "x"}});
        let content = json!([{"type": "text", "text": format!("text {number}")}]);
        let mut frame = match random.below(8) {
            0 => json!({"type": "stream_event", "event": {"type": "message_start", "message": {}}}),
            1..4 => json!({"type": "stream_event", "event": delta}),
            4..6 => json!({"type": "assistant", "message": {"role": "assistant", "content": content}}),
            6 => {
                let is_error = random.chance(2);
                let subtype = if is_error { "error_during_execution" } else { "success" };
                json!({"type": "result", "subtype": subtype, "is_error": is_error, "result": "done"})
            }
            _ => json!({"type": "of_a_newer_version"}),
        };
        let is_partial = frame["type"] == "stream_event";
        frame["number"] = json!(format!("{number:06}"));
        frame["padding"] = Value::from("");
        let padding = match is_partial {
            true => "x".repeat(PARTIAL.saturating_sub(frame.to_string().len())),
            false => "é".repeat(random.below(250)),
        };
        frame["padding"] = Value::from(padding);
        Numbered { line: frame.to_string(), is_partial }
    }
}

/// Returns a line that was cut somewhere. Sometimes the line break after it is lost too, so that it contains the next line.
pub(super) fn cut_line(random: &mut Random) -> Vec<u8> {
    let mut line = Numbered::new(random, 0).line.into_bytes();
    line.truncate(1 + random.below(line.len() - 1));
    if random.chance(3) {
        line.extend(Numbered::new(random, 0).line.into_bytes());
    }
    line
}

/// How the session keeps messages that were not read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    memory: usize,
    overflow: Overflow,
}

#[derive(Clone, Copy, Debug)]
enum Overflow {
    File,
    SmallFile,
    Interrupt,
}

impl Limits {
    pub(super) fn new(random: &mut Random) -> Limits {
        let overflow = random.pick(&[Overflow::File, Overflow::SmallFile, Overflow::Interrupt]);
        Limits { memory: 2000 + random.below(4000), overflow }
    }

    pub(super) fn unread(self) -> Unread {
        match self.overflow {
            Overflow::File => Unread::spill().memory(self.memory),
            Overflow::SmallFile => Unread::spill().memory(self.memory).max_file(self.memory as u64),
            Overflow::Interrupt => Unread::interrupt().memory(self.memory),
        }
    }

    /// The most bytes of messages that the session may hold, in memory and in a file of limited size.
    fn most(self) -> usize {
        match self.overflow {
            Overflow::File => usize::MAX,
            Overflow::SmallFile | Overflow::Interrupt => 2 * self.memory,
        }
    }
}

/// The numbered messages of one session: what the CLI has sent, and what the session has delivered. Clones are the same account.
#[derive(Clone)]
pub(super) struct Account(Arc<Mutex<Books>>);

struct Books {
    limits: Limits,
    sent: Vec<Sent>,
    last_sent: Instant,
    /// The place of the first message in `sent` that was not delivered.
    next: usize,
    /// The number of partial messages before `next` that were not delivered.
    skipped: u64,
    /// The first other message before `next` that was not delivered. Then the session must end with an error.
    lost: Option<usize>,
    /// The number of partial messages that the session has reported as dropped.
    dropped: u64,
    /// The largest number of bytes that the session may have held.
    peak: usize,
    interrupts: usize,
    cli_has_ended: bool,
}

struct Sent {
    bytes: usize,
    is_partial: bool,
}

impl Account {
    pub(super) fn new(limits: Limits) -> Account {
        Account(Arc::new(Mutex::new(Books {
            limits,
            sent: Vec::new(),
            last_sent: Instant::now(),
            next: 0,
            skipped: 0,
            lost: None,
            dropped: 0,
            peak: 0,
            interrupts: 0,
            cli_has_ended: false,
        })))
    }

    /// Creates the next message and counts it as sent.
    pub(super) fn send(&self, random: &mut Random) -> Numbered {
        let mut books = self.lock();
        let message = Numbered::new(random, books.sent.len() + 1);
        books.sent.push(Sent { bytes: message.line.len(), is_partial: message.is_partial });
        books.last_sent = Instant::now();
        books.peak = books.peak.max(books.held());
        message
    }

    /// Counts a request of the session to interrupt the turn.
    pub(super) fn interrupt(&self) {
        self.lock().interrupts += 1;
    }

    pub(super) fn cli_has_ended(&self) {
        self.lock().cli_has_ended = true;
    }

    /// Checks a message that was delivered, and returns its number. It must come after the message before it.
    pub(super) fn deliver(&self, raw: &RawValue, dropped: u64) -> Result<usize, String> {
        let mut books = self.lock();
        books.dropped = dropped;
        let number = number(raw);
        if number <= books.next || number > books.sent.len() {
            return Err(format!("message {number} was delivered after message {}", books.next));
        }
        while books.next + 1 < number {
            books.next += 1;
            match books.sent[books.next - 1].is_partial {
                true => books.skipped += 1,
                false => books.lost = books.lost.or(Some(books.next)),
            }
        }
        books.next += 1;
        if books.skipped > dropped {
            return Err(format!("{} partial messages were dropped, and {dropped} counted", books.skipped));
        }
        Ok(number)
    }

    /// Checks how many bytes of messages the session holds, if it has read all lines that were sent.
    pub(super) fn check_held(&self, dropped: u64) -> Result<(), String> {
        let mut books = self.lock();
        books.dropped = dropped;
        let Books { limits, interrupts, .. } = *books;
        // The clock moves only when the session waits for the next line. It ends the connection when it holds too much.
        if Instant::now() == books.last_sent || books.cli_has_ended {
            return Ok(());
        }
        let held = books.held();
        if held > limits.most() {
            return Err(format!("the session holds {held} bytes of messages with {limits:?}"));
        }
        if matches!(limits.overflow, Overflow::Interrupt) && held > limits.memory && interrupts == 0 {
            return Err(format!("no interrupt with {held} bytes of messages and {limits:?}"));
        }
        Ok(())
    }

    /// Checks the whole account after the last message.
    pub(super) fn close(&self, dropped: u64, has_overflowed: bool) -> Result<(), String> {
        let mut books = self.lock();
        books.dropped = dropped;
        let Books { limits, peak, interrupts, .. } = *books;
        if (dropped > 0 && peak <= limits.memory / 2) || ((interrupts > 0 || has_overflowed) && peak <= limits.memory) {
            return Err(format!(
                "{dropped} messages dropped, {interrupts} interrupts, overflow {has_overflowed}: but the session never held more \
                 than {peak} bytes, with {limits:?}"
            ));
        }
        if has_overflowed {
            return match limits.overflow {
                Overflow::File => Err("the session ended, but its file has no limit".to_owned()),
                Overflow::SmallFile | Overflow::Interrupt => Ok(()),
            };
        }
        let rest = || books.sent[books.next..].iter().position(|sent| !sent.is_partial);
        if let Some(lost) = books.lost.or_else(|| Some(books.next + 1 + rest()?)) {
            return Err(format!("message {lost} was not delivered, and the session ended without an error"));
        }
        let skipped = books.skipped + (books.sent.len() - books.next) as u64;
        if skipped != dropped {
            return Err(format!("{skipped} partial messages were dropped, and {dropped} counted"));
        }
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, Books> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Books {
    /// The number of bytes of messages that were sent, not delivered and not dropped.
    fn held(&self) -> usize {
        let bytes: usize = self.sent[self.next..].iter().map(|sent| sent.bytes).sum();
        let dropped = usize::try_from(self.dropped.saturating_sub(self.skipped)).unwrap_or(usize::MAX);
        bytes - dropped * PARTIAL
    }
}

/// Returns the number of a message. A message without a number has the number zero, which is never sent.
fn number(raw: &RawValue) -> usize {
    #[derive(Deserialize)]
    struct WithNumber {
        number: String,
    }
    serde_json::from_str::<WithNumber>(raw.get()).ok().and_then(|with| with.number.parse().ok()).unwrap_or(0)
}
