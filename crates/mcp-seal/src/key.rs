//! The key that instances share.

use std::error::Error;
use std::fmt;

use data_encoding::HEXLOWER_PERMISSIVE;

/// A secret key of 256 bits.
///
/// Create one with `openssl rand -hex 32`, and give it to all instances and to nobody else.
#[derive(Clone)]
pub struct Key(pub(crate) [u8; Key::LENGTH]);

impl Key {
    /// Length of a key in bytes.
    pub const LENGTH: usize = 32;

    /// Creates a key from bytes. They must be random: not a password, not text.
    pub fn from_bytes(bytes: [u8; Key::LENGTH]) -> Key {
        Key(bytes)
    }

    /// Parses 64 hexadecimal digits, as in an environment variable or a file. Ignores white space around them.
    ///
    /// # Errors
    /// Returns an error if the text is anything else.
    pub fn from_hex(text: &str) -> Result<Key, KeyError> {
        let bytes = HEXLOWER_PERMISSIVE.decode(text.trim().as_bytes()).ok();
        bytes.and_then(|bytes| bytes.try_into().ok()).map(Key).ok_or(KeyError::NotHex)
    }

    /// Creates a random key. What it seals opens only in this process.
    ///
    /// # Errors
    /// Returns an error if the operating system provides no random numbers.
    pub fn random() -> Result<Key, KeyError> {
        let mut bytes = [0; Key::LENGTH];
        getrandom::fill(&mut bytes).map_err(|error| KeyError::NoRandomNumbers(Box::new(error)))?;
        Ok(Key(bytes))
    }
}

/// Does not show the key.
impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(..)")
    }
}

/// Why a key could not be created.
#[derive(Debug)]
#[non_exhaustive]
pub enum KeyError {
    /// The text is not 64 hexadecimal digits.
    NotHex,
    /// The operating system provides no random numbers.
    NoRandomNumbers(Box<dyn Error + Send + Sync>),
}

impl fmt::Display for KeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            KeyError::NotHex => "a key must be 64 hexadecimal digits",
            KeyError::NoRandomNumbers(_) => "the operating system provides no random numbers",
        })
    }
}

impl Error for KeyError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            KeyError::NotHex => None,
            KeyError::NoRandomNumbers(error) => Some(&**error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_64_hexadecimal_digits_and_debug_output_does_not_show_them() {
        let key = Key::from_hex(&format!("{}\n", "0F".repeat(32))).unwrap();
        assert_eq!(key.0, [15; 32]);
        assert_eq!(format!("{key:?}"), "Key(..)");
        for wrong in ["", "0f", &"0f".repeat(33), &"zz".repeat(32), &"é".repeat(32)] {
            assert!(matches!(Key::from_hex(wrong), Err(KeyError::NotHex)), "{wrong}");
        }
    }

    #[test]
    fn random_keys_differ() {
        assert_ne!(Key::random().unwrap().0, Key::random().unwrap().0);
    }
}
