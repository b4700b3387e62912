//! Encrypts the state that stateless clients carry for an MCP server.
//!
//! In the stateless revision of MCP, the answer to a question of a tool arrives with the next call, which may go to another
//! instance of the server. The client carries all answers so far. A [`Sealer`] encrypts and authenticates them, so that every
//! instance with the key can continue, and nobody else can read or change them:
//!
//! ```
//! use mcp_core::Server;
//! use mcp_seal::{Key, Sealer};
//!
//! let key = Key::from_hex("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f")?;
//! let server = Server::builder("cluster", "1.0.0").seal(Sealer::new(key));
//! # let _ = server;
//! # Ok::<(), mcp_seal::KeyError>(())
//! ```
//!
//! Sealed state opens only for the method, name, arguments and principal that it was sealed for, with a key of the server, and
//! until it expires. The cipher is XChaCha20-Poly1305. Its nonces are long enough to be random, so instances share nothing but
//! the key.

mod key;
mod sealer;

pub use key::{Key, KeyError};
pub use sealer::Sealer;
