//! The folders that the tables refer to, with files on which the attempts would have an effect.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use mcp_guard::{Behavior, Layer, Rules};
use serde_json::Value;

use super::tables::{RuleSet, entries};
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
        for entry in entries() {
            let path = work.join(&entry.path);
            match (entry.kind.as_str(), entry.target) {
                ("directory", _) => fs::create_dir_all(path),
                ("file", _) if entry.path.starts_with("src") => fs::write(path, "x"),
                ("file", _) => fs::write(path, SECRET),
                ("link", Some(target)) => std::os::unix::fs::symlink(work.join(target), path),
                (kind, _) => panic!("no such kind of entry: {kind}"),
            }
            .unwrap();
        }
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

    pub(crate) fn rules(&self, set: &RuleSet) -> Rules {
        let rules = Rules::new(&self.work).home(&self.home).mode(set.mode.clone());
        set.rules.iter().fold(rules, |rules, of| {
            let layer = match of.layer.as_str() {
                "session" => Layer::Session,
                "local" => Layer::Local,
                "project" => Layer::Project,
                "user" => Layer::User,
                "policy" => Layer::Policy,
                other => panic!("no such layer: {other}"),
            };
            let behavior = match of.behavior.as_str() {
                "allow" => Behavior::Allow,
                "ask" => Behavior::Ask,
                "deny" => Behavior::Deny,
                other => panic!("no such behavior: {other}"),
            };
            rules.with(layer, behavior, &of.rule).unwrap()
        })
    }

    /// Replaces `${work}` and `${home}` in all texts.
    pub(crate) fn fill_in(&self, input: &Value) -> Value {
        let text = |path: &Path| serde_json::to_string(path.to_str().unwrap()).unwrap().trim_matches('"').to_owned();
        let filled = input.to_string().replace("${work}", &text(&self.work)).replace("${home}", &text(&self.home));
        serde_json::from_str(&filled).unwrap()
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
