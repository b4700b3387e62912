//! Every transport gives the same responses: the golden transcripts in `tests/transcripts/`, played in memory, over
//! stdio, over HTTP and through a mounted server.

#[path = "../support/built_examples.rs"]
mod built_examples;
mod conversation;
#[path = "../support/example_servers.rs"]
#[allow(dead_code, reason = "other test targets use the rest")]
mod example_servers;
mod http;
mod mount;
mod stdio;
mod transcripts;
