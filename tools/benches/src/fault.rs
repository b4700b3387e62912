//! Faults in the responses of a server.

use std::error::Error;
use std::fmt;

/// A fault in the responses of a server. A server with a fault has no measurements.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    NotJson { line: String },
    NoId { reply: String },
    UnknownId { id: u64 },
    Twice { id: u64 },
    Missing { replies: usize },
    Refused { reply: String },
    Answer { id: u64, reply: String },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::NotJson { line } => write!(f, "a line is not JSON: {line}"),
            Fault::NoId { reply } => write!(f, "a response without an id of a request: {reply}"),
            Fault::UnknownId { id } => write!(f, "a response to the unknown id {id}"),
            Fault::Twice { id } => write!(f, "duplicate response to {id}"),
            Fault::Missing { replies } => write!(f, "{replies} responses are missing"),
            Fault::Refused { reply } => write!(f, "an error instead of a result: {reply}"),
            Fault::Answer { id, reply } => write!(f, "wrong result of {id}: {reply}"),
        }
    }
}

impl Error for Fault {}
