use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::{self, Command},
    thread,
};

use crate::{calculator::target, conversation::Conversation};

/// A fresh place for one test: its own home, temporary and working folder, and a record of what was said on the wire.
///
/// It goes with the test, unless the test fails: then it stays under the target folder for who wants to know why.
#[derive(Debug)]
pub struct Sandbox {
    folder: PathBuf,
    witness: PathBuf,
    server: PathBuf,
}

impl Sandbox {
    /// Makes the place for the test `name`, with a server for it; `witness` is the binary of this package with that name.
    ///
    /// The server is built already, so that nothing waits for cargo while a client or a runtime waits for the server.
    ///
    /// # Panics
    ///
    /// If the target folder cannot be written.
    #[must_use]
    pub fn new(name: &str, witness: &str, server: &Path) -> Self {
        let folder = target().join("interop/runs").join(format!("{name}-{}", process::id()));
        if folder.exists() {
            fs::remove_dir_all(&folder).expect("the target folder is writable");
        }
        for part in ["home", "tmp", "work", "wire"] {
            fs::create_dir_all(folder.join(part)).expect("the target folder is writable");
        }
        Self { folder, witness: witness.into(), server: server.into() }
    }

    /// The command line with which a client starts the server, seen by the witness.
    #[must_use]
    pub fn server(&self) -> [OsString; 3] {
        [self.witness.clone().into(), self.folder.join("wire").into(), self.server.clone().into()]
    }

    /// A program that inherits nothing from this process and runs in this place.
    #[must_use]
    pub fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command
            .env_clear()
            .env("PATH", "/usr/local/bin:/usr/bin:/bin")
            .env("HOME", self.folder.join("home"))
            .env("TMPDIR", self.folder.join("tmp"))
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .current_dir(self.folder.join("work"));
        command
    }

    /// The temporary folder of this place.
    #[must_use]
    pub fn temporary(&self) -> PathBuf {
        self.folder.join("tmp")
    }

    /// What was said so far, one conversation for each server process, in the order of their start.
    ///
    /// # Panics
    ///
    /// If the witness wrote something else than a record.
    #[must_use]
    pub fn conversations(&self) -> Vec<Conversation> {
        let mut records: Vec<PathBuf> = fs::read_dir(self.folder.join("wire"))
            .expect("the sandbox has a wire folder")
            .map(|entry| entry.expect("the wire folder is readable").path())
            .collect();
        records.sort();
        records.iter().map(|record| Conversation::read(record)).collect()
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        if !thread::panicking() {
            // A client's last process may still be writing here; what is left is overwritten or swept by cargo clean.
            let _ = fs::remove_dir_all(&self.folder);
        }
    }
}
