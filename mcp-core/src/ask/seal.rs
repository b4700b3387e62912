//! Seals state that a client stores for a stateless server, so that the client cannot change it.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::sync::{Mutex, PoisonError};

use crate::random_id::random_id;

/// Protects the state that a stateless server sends to a client and receives back with the next request.
///
/// When a tool asks the client something in a stateless revision, the answers so far are sent to the client as
/// `requestState`. They are accepted only if they open with the same `purpose`: the kind of the call, its name, its arguments
/// and the owner. The default, [`InMemorySeal`], works within one process. For several instances of a server, use the `Sealer`
/// of the crate `mcp-seal`, which has a shared key.
pub trait Seal: Send + Sync + 'static {
    /// Seals `content`, bound to `purpose`.
    fn seal(&self, purpose: &[u8], content: &[u8]) -> String;

    /// Returns the sealed content, or `None` if it was changed, has another purpose, or is too old.
    fn open(&self, purpose: &[u8], sealed: &str) -> Option<Vec<u8>>;
}

/// The maximum number of stored contents. The oldest are removed first.
const MAX_STORED: usize = 4096;

/// Stores the content in memory and gives the client a random id for it.
#[derive(Default)]
pub struct InMemorySeal {
    kept: Mutex<Kept>,
}

/// A stored content and its purpose.
struct Content {
    purpose: Box<[u8]>,
    content: Box<[u8]>,
}

#[derive(Default)]
struct Kept {
    contents: HashMap<String, Content>,
    order: VecDeque<String>,
}

impl Seal for InMemorySeal {
    fn seal(&self, purpose: &[u8], content: &[u8]) -> String {
        let name = match random_id() {
            Ok(name) => name,
            Err(error) => {
                // Without random numbers nothing is stored. The empty text does not open, so the next request is rejected.
                tracing::error!(%error, "the state of a call could not be sealed");
                return String::new();
            }
        };
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.contents.insert(name.clone(), Content { purpose: purpose.into(), content: content.into() });
        kept.order.push_back(name.clone());
        if kept.order.len() > MAX_STORED
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

impl fmt::Debug for InMemorySeal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        write!(f, "InMemorySeal({})", kept.order.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sealed_content_opens_only_with_its_purpose() {
        let seal = InMemorySeal::default();
        let (one, two) = (seal.seal(b"a", b"one"), seal.seal(b"a", b"two"));
        assert_ne!(one, two);
        assert_eq!(seal.open(b"a", &one).as_deref(), Some(&b"one"[..]));
        assert_eq!(seal.open(b"b", &one), None);
        assert_eq!(seal.open(b"a", "0123"), None);
    }

    #[test]
    fn the_oldest_content_is_removed_first() {
        let seal = InMemorySeal::default();
        let first = seal.seal(b"", b"first");
        let last = (0..MAX_STORED).map(|_| seal.seal(b"", b"more")).last().unwrap();
        assert_eq!(seal.open(b"", &first), None);
        assert!(seal.open(b"", &last).is_some());
    }
}
