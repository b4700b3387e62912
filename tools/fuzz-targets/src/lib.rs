//! What the fuzzer runs, as plain functions of bytes that panic when a promise is broken.
//!
//! `fuzz/` runs them on a nightly toolchain; the test `replay` runs them over the corpora on any.

mod call;
mod envelope;
mod framing;
mod json;
mod session;
mod world;

pub use call::call;
pub use envelope::envelope;
pub use framing::framing;
pub use session::session;

/// A function of bytes that panics when a promise is broken.
pub type Target = fn(&[u8]);

/// All of them, by the names of their corpora.
pub const ALL: [(&str, Target); 4] = [("framing", framing), ("envelope", envelope), ("session", session), ("call", call)];
