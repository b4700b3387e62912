//! The working directory that the tables refer to.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

use serde::Deserialize;
use serde_json::Value;
use tempfile::TempDir;

/// A working directory with the entries of `project.json`, and a home directory that does not exist.
pub(crate) struct Project {
    pub(crate) work: PathBuf,
    pub(crate) home: PathBuf,
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
        let root = folder.path().canonicalize().expect("the folder exists");
        let work = root.join("work");
        fs::create_dir(&work).expect("the folder is writable");
        let entries: Vec<Entry> = serde_json::from_str(include_str!("project.json")).expect("the entries");
        for entry in entries {
            let path = work.join(&entry.path);
            match (entry.kind.as_str(), entry.target) {
                ("directory", _) => fs::create_dir_all(path),
                ("file", _) => fs::write(path, "x"),
                ("link", Some(target)) => symlink(work.join(target), path),
                (kind, _) => panic!("no such kind of entry: {kind}"),
            }
            .expect("the folder is writable");
        }
        Self { work, home: root.join("home"), _folder: folder }
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
