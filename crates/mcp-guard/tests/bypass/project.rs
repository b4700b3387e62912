//! The working directory that the tables refer to.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;
use tempfile::TempDir;

/// A working directory with the entries of `project.json`, and a home directory that does not exist.
pub(crate) struct Project {
    pub(crate) work: PathBuf,
    pub(crate) home: PathBuf,
    /// The links that could not be created: on Windows this needs a right that not every user has.
    missing_links: Vec<String>,
    _folder: TempDir,
}

/// An entry of `project.json`. Paths and targets of links are relative to the working directory.
#[derive(Deserialize)]
struct Entry {
    path: String,
    kind: String,
    target: Option<String>,
}

impl Project {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let root = root(&folder);
        let work = root.join("work");
        fs::create_dir(&work).expect("the folder is writable");
        let mut missing_links = Vec::new();
        let entries: Vec<Entry> = serde_json::from_str(include_str!("project.json")).expect("the entries");
        for entry in entries {
            let path = work.join(&entry.path);
            match (entry.kind.as_str(), entry.target) {
                ("directory", _) => fs::create_dir_all(path),
                ("file", _) => fs::write(path, "x"),
                ("link", Some(target)) => link(&work.join(target), &path).or_else(|error| {
                    missing_links.push(entry.path);
                    if cfg!(windows) { Ok(()) } else { Err(error) }
                }),
                (kind, _) => panic!("no such kind of entry: {kind}"),
            }
            .expect("the folder is writable");
        }
        Self { work, home: root.join("home"), missing_links, _folder: folder }
    }

    /// Returns whether all links that an input names were created.
    pub(crate) fn has_entries_of(&self, input: &Value) -> bool {
        let input = input.to_string();
        !self.missing_links.iter().any(|link| input.contains(link))
    }

    /// Replaces `${work}` and `${home}` in every text of an input.
    pub(crate) fn fill_in(&self, input: &Value) -> Value {
        match input {
            Value::String(text) => {
                let text = text.replace("${work}", &self.work.to_string_lossy());
                Value::String(text.replace("${home}", &self.home.to_string_lossy()))
            }
            Value::Array(items) => items.iter().map(|item| self.fill_in(item)).collect(),
            Value::Object(fields) => {
                Value::Object(fields.iter().map(|(key, value)| (key.clone(), self.fill_in(value))).collect())
            }
            other => other.clone(),
        }
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

#[cfg(unix)]
fn link(target: &Path, path: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, path)
}

#[cfg(windows)]
fn link(target: &Path, path: &Path) -> io::Result<()> {
    use std::os::windows::fs::{symlink_dir, symlink_file};
    if target.is_dir() { symlink_dir(target, path) } else { symlink_file(target, path) }?;
    // Wine reports success and creates nothing.
    path.symlink_metadata().map(drop)
}
