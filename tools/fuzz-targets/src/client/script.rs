//! What the server sends: pieces of the input, one for each request.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use serde_json::Value;

/// The bytes of the server, and the requests that it has seen.
#[derive(Debug)]
pub(super) struct Script {
    pieces: Mutex<std::vec::IntoIter<Vec<u8>>>,
    ids: Mutex<HashSet<u64>>,
}

impl Script {
    /// A NUL byte separates the pieces.
    pub(super) fn new(data: &[u8]) -> Script {
        let pieces: Vec<_> = data.split(|byte| *byte == 0).map(<[u8]>::to_vec).collect();
        Script { pieces: Mutex::new(pieces.into_iter()), ids: Mutex::default() }
    }

    /// Takes the next piece, if `message` is a request or empty. The byte `@` stands for the id of the request.
    ///
    /// # Panics
    /// If the client sent something else than a JSON-RPC message, or an id for the second time.
    pub(super) fn answer(&self, message: &[u8]) -> Option<Vec<u8>> {
        let id = if message.is_empty() { 0 } else { self.id_of(message)? };
        let piece = self.pieces.lock().unwrap_or_else(PoisonError::into_inner).next()?;
        let mut answer = Vec::with_capacity(piece.len());
        for byte in piece {
            match byte {
                b'@' => answer.extend(id.to_string().bytes()),
                byte => answer.push(byte),
            }
        }
        Some(answer)
    }

    /// Checks a message. Returns the id if it is a request.
    fn id_of(&self, message: &[u8]) -> Option<u64> {
        let message: Value = serde_json::from_slice(message).unwrap_or_else(|error| panic!("the client sent: {error}"));
        assert_eq!(message["jsonrpc"], "2.0", "{message}");
        if message.get("method").is_none() {
            assert!(message.get("result").is_some() != message.get("error").is_some(), "{message}");
            return None;
        }
        let id = message["id"].as_u64()?;
        assert!(self.ids.lock().unwrap_or_else(PoisonError::into_inner).insert(id), "the id {id} is used again");
        Some(id)
    }
}
