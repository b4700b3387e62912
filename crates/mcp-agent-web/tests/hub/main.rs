//! A hub with a scripted CLI.

mod dropped;
mod history;
mod http;
mod recovery;
mod rings;
mod shared_store;
mod steering;
mod support;
mod watching;
