//! The first test of a new project: `cargo mcp new`, then `cargo test`.

use std::collections::BTreeMap;
use std::fs;

use anyhow::Result;

use super::stopwatch::time;
use crate::contender::OURS;
use crate::folders::{Folders, cargo, finish};
use crate::metric::Metric;
use crate::progress::say;
use crate::record::Record;

/// Creates a project and tests it once, with downloaded crates and without any cached output.
pub(super) fn measure(folders: &Folders) -> Result<Record> {
    say(format_args!("builds: cargo mcp new, cargo test"));
    let parent = folders.folder().join("packages");
    fs::create_dir_all(&parent)?;
    let project = parent.join("new-project");
    if project.exists() {
        fs::remove_dir_all(&project)?;
    }
    let mut new = cargo("run");
    new.args(["--quiet", "--locked", "--package", "cargo-mcp", "--", "mcp", "new"]).arg(&project);
    new.arg("--path").arg(&folders.root).current_dir(&folders.root);
    finish(new)?;
    // The same versions as in this workspace, so that a new release of a crate does not change the time.
    fs::copy(folders.root.join("Cargo.lock"), project.join("Cargo.lock"))?;
    let mut fetch = cargo("fetch");
    fetch.arg("--quiet").current_dir(&project);
    finish(fetch)?;
    let mut test = cargo("test");
    test.args(["--quiet", "--offline", "--target-dir"]).arg(project.join("target")).current_dir(&project);
    let took = time(test)?;
    let metrics = BTreeMap::from([(Metric::NewProjectTest, took.wall)]);
    Ok(Record { server: OURS.to_owned(), metrics, ..Record::default() })
}
