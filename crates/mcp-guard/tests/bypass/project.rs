//! The working directory that the tables refer to.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;
use tempfile::TempDir;

use super::tables;

/// A working directory with the entries of `project.json`, and a home directory that does not exist.
pub(crate) struct Project {
    pub(crate) work: PathBuf,
    pub(crate) home: PathBuf,
    missing_links: Vec<String>,
    _folder: TempDir,
}

impl Project {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let root = root(&folder);
        let work = root.join("work");
        fs::create_dir(&work).expect("the folder is writable");
        let missing_links = tables::create_entries(&work, "x");
        Self { work, home: root.join("home"), missing_links, _folder: folder }
    }

    /// Returns whether all links that an input names were created.
    pub(crate) fn has_entries_of(&self, input: &Value) -> bool {
        let input = input.to_string();
        !self.missing_links.iter().any(|link| input.contains(link))
    }
}

/// Returns the path of a folder without links in it.
#[cfg(unix)]
fn root(folder: &TempDir) -> PathBuf {
    folder.path().canonicalize().expect("the folder exists")
}

/// Returns the path of a folder. Links are not resolved, because the result would begin with `\\?\`, which nobody types.
#[cfg(windows)]
fn root(folder: &TempDir) -> PathBuf {
    folder.path().to_owned()
}
