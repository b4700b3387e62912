//! What a server gives a client to keep, and gets back unchanged or not at all.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, PoisonError};

/// Keeps what a stateless server must remember between two requests, in the hands of a client that must not change it.
///
/// When a tool asks the client something in a stateless revision, all answers so far travel with the client. What comes
/// back is used only if the same `purpose` (the method, its target, its arguments, the principal) opens it. The one that a
/// server has unless told otherwise, [`Remembered`], works within one process; servers of several instances share a key, with
/// the `Sealer` of the crate `mcp-seal`.
pub trait Seal: Send + Sync + 'static {
    /// Gives out `content` for that purpose.
    fn seal(&self, purpose: &[u8], content: &[u8]) -> String;

    /// Takes it back; none if it was changed, is of another purpose, or too old.
    fn open(&self, purpose: &[u8], sealed: &str) -> Option<Vec<u8>>;
}

/// How many it remembers; the oldest are forgotten first.
const MOST: usize = 4096;

/// Keeps the content itself and gives out only a name for it that nobody can guess.
#[derive(Default)]
pub struct Remembered {
    secrets: [RandomState; 2],
    kept: Mutex<Kept>,
}

/// What is kept, and for which purpose.
struct Content {
    purpose: Box<[u8]>,
    content: Box<[u8]>,
}

#[derive(Default)]
struct Kept {
    count: u64,
    contents: HashMap<String, Content>,
    order: VecDeque<String>,
}

impl Seal for Remembered {
    fn seal(&self, purpose: &[u8], content: &[u8]) -> String {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.count += 1;
        // The hashers are keyed by secrets of this process, so the next name does not follow from the last.
        let [high, low] = [0, 1].map(|which| self.secrets[which].hash_one((which, kept.count)));
        let name = format!("{high:016x}{low:016x}");
        kept.contents.insert(name.clone(), Content { purpose: purpose.into(), content: content.into() });
        kept.order.push_back(name.clone());
        if kept.order.len() > MOST
            && let Some(oldest) = kept.order.pop_front()
        {
            kept.contents.remove(&oldest);
        }
        name
    }

    fn open(&self, purpose: &[u8], sealed: &str) -> Option<Vec<u8>> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = kept.contents.get(sealed)?;
        (*kept.purpose == *purpose).then(|| kept.content.to_vec())
    }
}

impl fmt::Debug for Remembered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        write!(f, "Remembered({})", kept.order.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_sealed_opens_for_its_purpose_only() {
        let seal = Remembered::default();
        let (one, two) = (seal.seal(b"a", b"one"), seal.seal(b"a", b"two"));
        assert_ne!(one, two);
        assert_eq!(seal.open(b"a", &one).as_deref(), Some(&b"one"[..]));
        assert_eq!(seal.open(b"b", &one), None);
        assert_eq!(seal.open(b"a", "0123"), None);
    }

    #[test]
    fn the_oldest_is_forgotten_first() {
        let seal = Remembered::default();
        let first = seal.seal(b"", b"first");
        let last = (0..MOST).map(|_| seal.seal(b"", b"more")).last().unwrap();
        assert_eq!(seal.open(b"", &first), None);
        assert!(seal.open(b"", &last).is_some());
    }
}
