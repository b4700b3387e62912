//! A hub with a scripted CLI.

mod history;
mod http;
mod recovery;
mod rings;
mod steering;
mod support;
mod watching;
