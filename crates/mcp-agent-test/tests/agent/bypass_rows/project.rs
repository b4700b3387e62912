//! The folders that the tables refer to, with files on which the attempts would have an effect.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::tables;
use crate::test_setup::TestSetup;

/// The content of every file that some rule protects.
pub(crate) const SECRET: &str = "s3cr3t-content";

/// The folders that the tables refer to.
pub(crate) struct Project {
    pub(crate) work: PathBuf,
    pub(crate) home: PathBuf,
    root: PathBuf,
}

impl Project {
    pub(crate) fn new(setup: &TestSetup) -> Self {
        let (work, home) = (setup.sandbox.work().canonicalize().unwrap(), setup.sandbox.home().canonicalize().unwrap());
        tables::create_entries(&work, SECRET);
        // What the commands would remove, change or read.
        fs::create_dir(home.join(".ssh")).unwrap();
        fs::write(home.join(".ssh/id"), SECRET).unwrap();
        for file in ["x", "a", "README.md", "log"] {
            fs::write(work.join(file), "x").unwrap();
        }
        let root = work.parent().unwrap().to_owned();
        let git = |arguments: &[&str]| {
            let mut command = std::process::Command::new("git");
            command.args(arguments).current_dir(&work).env("HOME", &home).env("GIT_CONFIG_NOSYSTEM", "1");
            assert!(command.output().unwrap().status.success(), "{arguments:?}");
        };
        let remote = root.join("remote");
        git(&["init", "--quiet", "--bare", remote.to_str().unwrap()]);
        git(&["init", "--quiet", "--initial-branch=main"]);
        git(&["-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "--allow-empty", "--message=first"]);
        git(&["remote", "add", "origin", remote.to_str().unwrap()]);
        git(&["config", "push.default", "current"]);
        Self { work, home, root }
    }

    /// Everything that a tool use could change, except what the CLI itself keeps in the home directory.
    pub(crate) fn snapshot(&self) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
        let mut found = BTreeMap::new();
        for folder in [self.work.clone(), self.root.join("outside"), self.root.join("remote"), self.home.join(".ssh")] {
            collect(&folder, &mut found);
        }
        found
    }
}

fn collect(folder: &Path, found: &mut BTreeMap<PathBuf, Option<Vec<u8>>>) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let path = entry.path();
        let kind = entry.file_type().unwrap();
        found.insert(path.clone(), if kind.is_file() { fs::read(&path).ok() } else { None });
        if kind.is_dir() && entry.file_name() != ".git" {
            collect(&path, found);
        }
    }
}
