//! Encrypts and decrypts.

use std::fmt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use chacha20poly1305::aead::{Aead, Payload};
use chacha20poly1305::{KeyInit, XChaCha20Poly1305, XNonce};
use data_encoding::BASE64URL_NOPAD;
use mcp_core::transport::Seal;

use crate::key::Key;

/// Length of a nonce in bytes.
const NONCE: usize = 24;
/// Length of the expiry time in bytes.
const EXPIRY: usize = 8;

/// Seals with one key, and opens with that key and further ones.
///
/// To replace the key without losing conversations:
/// 1. Add the new key on all instances with [`also_opening`](Sealer::also_opening).
/// 2. Seal with the new key on all instances, and add the old key with `also_opening`.
/// 3. Remove the old key after the [time](Sealer::lasting) that sealed content lasts.
///
/// ```
/// use std::time::Duration;
/// use mcp_seal::{Key, Sealer};
///
/// let (new, old) = (Key::random()?, Key::random()?);
/// let sealer = Sealer::new(new).also_opening(old).lasting(Duration::from_secs(300));
/// # let _ = sealer;
/// # Ok::<(), mcp_seal::KeyError>(())
/// ```
pub struct Sealer {
    /// The first one seals; all open.
    ciphers: Vec<XChaCha20Poly1305>,
    lasting: Duration,
}

impl Sealer {
    /// Seals and opens with this key. Sealed content expires after one hour.
    pub fn new(key: Key) -> Sealer {
        Sealer { ciphers: vec![cipher(key)], lasting: Duration::from_secs(3600) }
    }

    /// Also opens content that was sealed with this key.
    #[must_use]
    pub fn also_opening(mut self, key: Key) -> Sealer {
        self.ciphers.push(cipher(key));
        self
    }

    /// Sets the time after which sealed content expires: how long a user may take to answer. The default is one hour.
    #[must_use]
    pub fn lasting(mut self, time: Duration) -> Sealer {
        self.lasting = time;
        self
    }

    fn seal_at(&self, now: u64, purpose: &[u8], content: &[u8]) -> Option<String> {
        let mut nonce = [0; NONCE];
        getrandom::fill(&mut nonce).ok()?;
        let until = now.saturating_add(u64::try_from(self.lasting.as_millis()).unwrap_or(u64::MAX));
        let plain = [&until.to_le_bytes()[..], content].concat();
        let sealed = self.ciphers[0].encrypt(&XNonce::from(nonce), Payload { msg: &plain, aad: purpose }).ok()?;
        Some(BASE64URL_NOPAD.encode(&[&nonce[..], &sealed].concat()))
    }

    fn open_at(&self, now: u64, purpose: &[u8], sealed: &str) -> Option<Vec<u8>> {
        let bytes = BASE64URL_NOPAD.decode(sealed.as_bytes()).ok()?;
        let (nonce, sealed) = bytes.split_first_chunk::<NONCE>()?;
        let open = |cipher: &XChaCha20Poly1305| cipher.decrypt(&XNonce::from(*nonce), Payload { msg: sealed, aad: purpose });
        let mut plain = self.ciphers.iter().find_map(|cipher| open(cipher).ok())?;
        let until = u64::from_le_bytes(*plain.first_chunk::<EXPIRY>()?);
        if until < now {
            return None;
        }
        plain.drain(..EXPIRY);
        Some(plain)
    }
}

impl Seal for Sealer {
    /// Seals the content. Without random numbers nothing can be sealed. The empty text that is returned then does not open, so the client gets an
    /// error with its next call.
    fn seal(&self, purpose: &[u8], content: &[u8]) -> String {
        self.seal_at(now(), purpose, content).unwrap_or_default()
    }

    fn open(&self, purpose: &[u8], sealed: &str) -> Option<Vec<u8>> {
        self.open_at(now(), purpose, sealed)
    }
}

fn cipher(key: Key) -> XChaCha20Poly1305 {
    XChaCha20Poly1305::new(&key.0.into())
}

/// Returns the time in milliseconds since 1970.
fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// Does not show the keys.
impl fmt::Debug for Sealer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sealer").field("keys", &self.ciphers.len()).field("lasting", &self.lasting).finish()
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    fn key(byte: u8) -> Key {
        Key::from_bytes([byte; Key::LENGTH])
    }

    proptest! {
        #[test]
        fn sealed_content_opens_only_with_its_purpose_and_its_key(
            purpose in vec(any::<u8>(), 0..100),
            other in vec(any::<u8>(), 0..100),
            content in vec(any::<u8>(), 0..1000),
        ) {
            let sealer = Sealer::new(key(1));
            let sealed = sealer.seal(&purpose, &content);
            prop_assert_eq!(sealer.open(&purpose, &sealed), Some(content.clone()));
            prop_assert_eq!(sealer.open(&other, &sealed), (purpose == other).then_some(content));
            prop_assert_eq!(Sealer::new(key(2)).open(&purpose, &sealed), None);
        }

        #[test]
        fn changed_content_does_not_open(content in vec(any::<u8>(), 0..50), at in any::<prop::sample::Index>(), to in any::<char>()) {
            let sealer = Sealer::new(key(1));
            let sealed = sealer.seal(b"p", &content);
            let mut characters: Vec<char> = sealed.chars().collect();
            let at = at.index(characters.len());
            prop_assume!(characters[at] != to);
            characters[at] = to;
            prop_assert_eq!(sealer.open(b"p", &characters.into_iter().collect::<String>()), None);
            prop_assert_eq!(sealer.open(b"p", &sealed[..at]), None);
            let longer = format!("{sealed}{to}");
            prop_assert_eq!(sealer.open(b"p", &longer), None);
        }

        #[test]
        fn arbitrary_text_does_not_open(text in ".{0,200}") {
            prop_assert_eq!(Sealer::new(key(1)).open(b"p", &text), None);
        }
    }

    #[test]
    fn sealing_the_same_content_twice_gives_different_results() {
        let sealer = Sealer::new(key(1));
        assert_ne!(sealer.seal(b"p", b"content"), sealer.seal(b"p", b"content"));
    }

    #[test]
    fn expired_content_does_not_open() {
        let sealer = Sealer::new(key(1)).lasting(Duration::from_secs(10));
        let sealed = sealer.seal_at(1_000, b"p", b"content").unwrap();
        assert_eq!(sealer.open_at(11_000, b"p", &sealed).as_deref(), Some(&b"content"[..]));
        assert_eq!(sealer.open_at(11_001, b"p", &sealed), None);
    }

    #[test]
    fn keys_can_be_rotated_without_losing_sealed_content() {
        let (before, both) = (Sealer::new(key(1)), Sealer::new(key(2)).also_opening(key(1)));
        let after = Sealer::new(key(2));
        let (old, new) = (before.seal(b"p", b"old"), both.seal(b"p", b"new"));
        assert_eq!(both.open(b"p", &old).as_deref(), Some(&b"old"[..]));
        assert_eq!(after.open(b"p", &new).as_deref(), Some(&b"new"[..]));
        assert_eq!((before.open(b"p", &new), after.open(b"p", &old)), (None, None));
    }

    #[test]
    fn debug_output_does_not_show_keys() {
        let shown = format!("{:?}", Sealer::new(key(7)).also_opening(key(8)));
        assert_eq!(shown, "Sealer { keys: 2, lasting: 3600s }");
    }
}
