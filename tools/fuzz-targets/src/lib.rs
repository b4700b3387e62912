//! The fuzz targets, as functions that take bytes and panic if a property does not hold.
//!
//! `fuzz/` runs them with the fuzzer; the test `replay` replays the corpora and random changes of them without it.

mod call;
mod client;
mod envelope;
mod framing;
mod history;
mod http;
mod inspector;
mod json;
mod rules;
mod session;
mod sockets;
mod world;

pub use call::call;
pub use client::{client, client_http};
pub use envelope::envelope;
pub use framing::framing;
pub use history::history;
pub use http::http;
pub use inspector::inspector;
pub use rules::{rules, settings};
pub use session::session;

/// A function that takes bytes and panics if a property does not hold.
pub type Target = fn(&[u8]);

/// All fuzz targets, with the names of their corpora.
pub const ALL: [(&str, Target); 11] = [
    ("framing", framing),
    ("envelope", envelope),
    ("session", session),
    ("call", call),
    ("client", client),
    ("client_http", client_http),
    ("http", http),
    ("inspector", inspector),
    ("rules", rules),
    ("settings", settings),
    ("history", history),
];
