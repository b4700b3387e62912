//! The whole, tested at the doors that users use: the public API and the built examples.

mod agents;
mod binary;
mod conversation;
mod examples;
mod mounted;
mod page;
mod readme;
mod tools_page;
mod torture;
mod transcripts;
