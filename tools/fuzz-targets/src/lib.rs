//! The fuzz targets, as functions that take bytes and panic if a property does not hold.
//!
//! `fuzz/` runs them on a nightly toolchain; the test `replay` replays the corpora on any toolchain.

mod call;
mod client;
mod envelope;
mod framing;
mod json;
mod session;
mod world;

pub use call::call;
pub use client::{client, client_http};
pub use envelope::envelope;
pub use framing::framing;
pub use session::session;

/// A function that takes bytes and panics if a property does not hold.
pub type Target = fn(&[u8]);

/// All fuzz targets, with the names of their corpora.
pub const ALL: [(&str, Target); 6] = [
    ("framing", framing),
    ("envelope", envelope),
    ("session", session),
    ("call", call),
    ("client", client),
    ("client_http", client_http),
];
