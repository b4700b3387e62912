//! `cargo mcp inspect` in a real browser, against the example `playground` and a hostile server.
// Not on Windows: it has no Chromium of Debian.
#![cfg(unix)]

mod access;
mod calls;
#[allow(clippy::print_stderr, reason = "it reports the version of Chromium, which is not pinned")]
#[path = "../../../../tests/agents/chromium.rs"]
mod chromium;
mod copied;
mod copies;
mod hostile;
mod looks;
mod offers;
mod page;
mod questions;
#[allow(dead_code, reason = "the tests of the other commands use more of it")]
#[path = "../client/setup.rs"]
mod setup;
