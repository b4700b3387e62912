//! Calls to Windows for which neither std nor a maintained crate has a safe interface.
//!
//! This is the only crate of the workspace with `unsafe` code. Keep it small: a call belongs here only if it needs `unsafe`.
//! On other systems the crate is empty.

#![cfg(windows)]

mod parent;
mod process;
mod standard_streams;

pub use parent::ParentProcess;
pub use process::is_running;
pub use standard_streams::take_standard_streams;
