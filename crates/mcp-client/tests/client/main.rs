//! The client against servers of this framework: every way to connect, in every revision.

mod authorize;
mod basics;
mod calls;
mod observe;
mod questions;
mod requests;
mod session_state;
mod subscriptions;
mod tasks;
mod test_server;
#[path = "../hostile/web.rs"]
#[allow(dead_code, reason = "the hostile servers use the rest")]
mod web;
#[path = "../hostile/wire.rs"]
#[allow(dead_code, reason = "the hostile servers use the rest")]
mod wire;
