//! Events for programs that watch a session from elsewhere: dotted names and one envelope.

mod envelope;
mod name;
mod narrator;

pub use envelope::Event;
pub use narrator::Narrator;
