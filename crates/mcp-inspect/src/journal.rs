//! The journal: messages, log entries and changes, in bounded memory. The oldest ones are dropped.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};
use tokio::sync::watch;

/// The maximum number of entries.
const MOST_ENTRIES: usize = 2000;

/// The maximum size of all entries in bytes.
const MOST_BYTES: usize = 16 << 20;

/// The maximum size of one text in bytes. Longer ones are cut.
const LONGEST_TEXT: usize = 64 << 10;

/// The maximum size of the entries that are sent to the page at once, in bytes.
const LARGEST_BATCH: usize = 1 << 20;

/// The last entries, each with a number.
pub(crate) struct Journal {
    ring: Mutex<Ring>,
    changed: watch::Sender<()>,
}

#[derive(Default)]
struct Ring {
    entries: VecDeque<(u64, String)>,
    bytes: usize,
    /// The number of the last entry.
    last: u64,
}

impl Journal {
    pub(crate) fn new() -> Journal {
        Journal { ring: Mutex::default(), changed: watch::Sender::new(()) }
    }

    /// Adds an entry of a kind. Long texts in it must be cut before.
    pub(crate) fn add(&self, kind: &str, mut entry: Value) {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let mut ring = self.ring();
        ring.last += 1;
        (entry["seq"], entry["at"], entry["kind"]) = (json!(ring.last), json!(now.as_millis() as u64), json!(kind));
        let entry = entry.to_string();
        ring.bytes += entry.len();
        let last = ring.last;
        ring.entries.push_back((last, entry));
        while ring.entries.len() > MOST_ENTRIES || ring.bytes > MOST_BYTES {
            let Some((_, dropped)) = ring.entries.pop_front() else { break };
            ring.bytes -= dropped.len();
        }
        drop(ring);
        self.changed.send_replace(());
    }

    /// Returns entries after this number as a JSON array, and the number of the last one. `None` if there are none.
    pub(crate) fn after(&self, number: u64) -> Option<(u64, String)> {
        let ring = self.ring();
        let skipped = ring.entries.partition_point(|(each, _)| *each <= number);
        let (mut last, mut batch) = (number, String::from("["));
        for (each, entry) in ring.entries.iter().skip(skipped) {
            if batch.len() > 1 {
                batch.push(',');
            }
            batch += entry;
            last = *each;
            if batch.len() > LARGEST_BATCH {
                break;
            }
        }
        (last != number).then(|| (last, batch + "]"))
    }

    pub(crate) fn changes(&self) -> watch::Receiver<()> {
        self.changed.subscribe()
    }

    fn ring(&self) -> MutexGuard<'_, Ring> {
        self.ring.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the text, or its beginning if it is too long.
pub(crate) fn cut(text: &str) -> &str {
    &text[..text.floor_char_boundary(LONGEST_TEXT)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_entries_are_dropped_and_batches_are_limited() {
        let journal = Journal::new();
        assert_eq!(journal.after(0), None);
        for number in 0..5000 {
            journal.add("log", json!({"number": number}));
        }
        let (last, batch) = journal.after(0).unwrap();
        let entries: Vec<Value> = serde_json::from_str(&batch).unwrap();
        assert_eq!((last, entries.len()), (5000, MOST_ENTRIES));
        assert_eq!((&entries[0]["seq"], &entries[0]["number"]), (&json!(3001), &json!(3000)));
        assert_eq!(journal.after(last), None);

        let long = "é".repeat(LONGEST_TEXT);
        for _ in 0..1000 {
            journal.add("message", json!({"text": cut(&long)}));
        }
        assert!(journal.ring().bytes <= MOST_BYTES);
        let (mut last, mut batches) = (0, 0);
        while let Some((next, batch)) = journal.after(last) {
            assert!(batch.len() <= LARGEST_BATCH + 2 * LONGEST_TEXT);
            (last, batches) = (next, batches + 1);
        }
        assert!(last == 6000 && batches > 10, "{batches}");
    }
}
