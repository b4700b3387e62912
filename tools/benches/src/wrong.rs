//! What can be wrong with the replies of a server.

use std::error::Error;
use std::fmt;

/// What is wrong with the replies of a server. One is enough for its figures not to count.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Wrong {
    NotJson { line: String },
    NoId { reply: String },
    UnknownId { id: u64 },
    Twice { id: u64 },
    Missing { replies: usize },
    Refused { reply: String },
    Answer { id: u64, reply: String },
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Wrong::NotJson { line } => write!(f, "a line is no JSON: {line}"),
            Wrong::NoId { reply } => write!(f, "a reply has no id of ours: {reply}"),
            Wrong::UnknownId { id } => write!(f, "a reply to {id}, which was not asked"),
            Wrong::Twice { id } => write!(f, "{id} was answered twice"),
            Wrong::Missing { replies } => write!(f, "{replies} replies are missing"),
            Wrong::Refused { reply } => write!(f, "an error for an answer: {reply}"),
            Wrong::Answer { id, reply } => write!(f, "{id} was answered wrongly: {reply}"),
        }
    }
}

impl Error for Wrong {}
