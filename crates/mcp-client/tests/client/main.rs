//! The client against servers of this framework: every way to connect, in every revision.

mod basics;
mod calls;
mod questions;
mod subscriptions;
mod tasks;
mod world;
