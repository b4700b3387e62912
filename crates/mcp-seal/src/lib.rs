//! What an MCP server gives its clients to carry, sealed.
//!
//! In the stateless revision of MCP a tool that asks its client something is answered with the next call, which may reach
//! another instance of the server. All answers so far travel with the client. A [`Sealer`] encrypts and signs them, so that
//! any instance with the key can go on, and nobody else can read or change them:
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
//! What comes back opens only for the same method, name, arguments and principal that it was sealed for, with a key that the
//! server knows, and until it is too old. The cipher is XChaCha20-Poly1305, whose nonces are long enough to be random: instances
//! need not agree on anything but the key.

mod key;
mod sealer;

pub use key::{Key, KeyError};
pub use sealer::Sealer;
