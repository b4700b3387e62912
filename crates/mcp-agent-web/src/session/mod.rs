//! The session of a chat: the task that runs it, its lease, its log, and the questions it asks.

mod asks;
mod journal;
mod lease;
mod runner;

pub(crate) use asks::Asks;
pub(crate) use journal::Journal;
pub(crate) use lease::Lease;
pub(crate) use runner::{Chain, Runner};
