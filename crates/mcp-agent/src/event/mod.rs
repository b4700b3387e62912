//! Events for programs that observe a session remotely: dotted names and a common envelope.

mod envelope;
mod name;
mod narrator;

pub use envelope::Event;
pub use narrator::Narrator;
