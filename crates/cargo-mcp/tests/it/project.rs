//! A project that `cargo mcp new` made, in a folder of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The root of this workspace.
pub(crate) fn workspace() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap()
}

/// A fresh project, and the program that made it.
pub(crate) struct Project {
    /// Gone with the test.
    _home: tempfile::TempDir,
    pub(crate) folder: PathBuf,
}

impl Project {
    pub(crate) fn new(name: &str) -> Project {
        let home = tempfile::tempdir().unwrap();
        let made = cargo_mcp(home.path(), &["new", name, "--path", &workspace().display().to_string()]);
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        let folder = home.path().join(name);
        // The versions that this workspace is tested with, so that nothing must be fetched.
        fs::copy(workspace().join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
        Project { folder, _home: home }
    }

    /// Cargo in the project, offline. What it builds is shared by all tests, for these build the same crates.
    pub(crate) fn cargo(&self) -> Command {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.current_dir(&self.folder).env("CARGO_NET_OFFLINE", "true").env("CARGO_TARGET_DIR", target());
        cargo
    }

    pub(crate) fn write(&self, place: &str, change: impl Fn(String) -> String) {
        let path = self.folder.join(place);
        let text = change(fs::read_to_string(&path).unwrap());
        fs::write(path, text).unwrap();
    }
}

/// Where the projects of these tests are built: not where we are, whose lock is held by whoever runs us.
pub(crate) fn target() -> PathBuf {
    // target/<profile>/deps/<this test>
    std::env::current_exe().unwrap().ancestors().nth(3).unwrap().join("cargo-mcp-projects")
}

pub(crate) fn cargo_mcp(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_cargo-mcp")).arg("mcp").args(arguments).current_dir(folder).output().unwrap()
}
