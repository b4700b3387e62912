use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::{self, Command},
    thread,
};

use test_env::target;

use crate::recording::Recording;

/// Empty home, temporary and working folders for one test, and the recordings of the messages between client and server.
///
/// Dropping it deletes the folders. If the test fails, they stay under the target folder.
#[derive(Debug)]
pub struct Sandbox {
    folder: PathBuf,
    recorder: PathBuf,
    server: PathBuf,
}

impl Sandbox {
    /// Creates the folders for the test `name`. `server` is the server to run, `recorder` the binary of this package with that name.
    ///
    /// The server must be built already, so that a client does not wait for cargo.
    ///
    /// # Panics
    ///
    /// If the target folder cannot be written.
    #[must_use]
    pub fn new(name: &str, recorder: &str, server: &Path) -> Self {
        let folder = target().join("interop/runs").join(format!("{name}-{}", process::id()));
        if folder.exists() {
            fs::remove_dir_all(&folder).expect("the target folder is writable");
        }
        for part in ["home", "tmp", "work", "wire"] {
            fs::create_dir_all(folder.join(part)).expect("the target folder is writable");
        }
        Self { folder, recorder: recorder.into(), server: server.into() }
    }

    /// The command line with which a client starts the server behind the recorder.
    #[must_use]
    pub fn server(&self) -> [OsString; 3] {
        [self.recorder.clone().into(), self.folder.join("wire").into(), self.server.clone().into()]
    }

    /// A command that runs in the sandbox and does not inherit the environment of this process.
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

    /// The temporary folder.
    #[must_use]
    pub fn temporary(&self) -> PathBuf {
        self.folder.join("tmp")
    }

    /// The recordings so far: one for each server process, in the order of their start.
    ///
    /// # Panics
    ///
    /// If a recording cannot be read.
    #[must_use]
    pub fn recordings(&self) -> Vec<Recording> {
        let mut paths: Vec<PathBuf> = fs::read_dir(self.folder.join("wire"))
            .expect("the sandbox has a folder for recordings")
            .map(|entry| entry.expect("the folder is readable").path())
            .collect();
        paths.sort();
        paths.iter().map(|path| Recording::read(path)).collect()
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        if !thread::panicking() {
            // Fails if a process of the client still writes here. The rest is overwritten by the next run.
            let _ = fs::remove_dir_all(&self.folder);
        }
    }
}
