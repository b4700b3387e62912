//! The whole, tested at the doors that users use: the public API and the built examples.

mod binary;
mod conversation;
mod examples;
mod readme;
mod torture;
mod transcripts;
