//! Systems without process groups and file modes.

use std::fs::{DirBuilder, File};
use std::io;

use tokio::process::Command;

use super::Signal;

pub(crate) fn new_process_group(_: &mut Command) {}

pub(crate) fn signal_group(_: Option<u32>, _: Signal) {}

pub(crate) fn private_folder() -> DirBuilder {
    DirBuilder::new()
}

pub(crate) fn check_mode(_: &File) -> io::Result<()> {
    Ok(())
}
