//! The program, the example server, and a folder of a user.

use std::env::consts::EXE_EXTENSION;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// Returns the path of the example server. Cargo builds it before it runs the tests.
pub(crate) fn playground() -> String {
    // target/<profile>/deps/<this test>
    let this = std::env::current_exe().unwrap();
    this.ancestors().nth(2).unwrap().join("examples/playground").with_extension(EXE_EXTENSION).display().to_string()
}

/// A folder with an empty home in it.
pub(crate) struct User {
    pub(crate) folder: tempfile::TempDir,
}

/// What a command printed, and its status.
#[derive(Debug)]
pub(crate) struct Printed {
    pub(crate) out: String,
    pub(crate) err: String,
    pub(crate) status: Option<i32>,
}

impl User {
    pub(crate) fn new() -> User {
        User { folder: tempfile::tempdir().unwrap() }
    }

    /// Returns a command without the environment of the tests.
    pub(crate) fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-mcp"));
        command.arg("mcp").args(words).current_dir(self.folder.path()).stdin(Stdio::null());
        command.env_clear().env("HOME", self.folder.path()).env("PATH", "/usr/bin:/bin");
        if cfg!(windows) {
            command.env("USERPROFILE", self.folder.path());
            // Windows finds programs with the first two, and has no sockets without the last one.
            let needed = ["PATH", "PATHEXT", "SYSTEMROOT"];
            command.envs(std::env::vars().filter(|(name, _)| needed.contains(&name.to_uppercase().as_str())));
        }
        command
    }

    pub(crate) fn runs(&self, words: &[&str]) -> Printed {
        printed(&mut self.command(words))
    }

    /// Runs a command that must succeed, and returns its output.
    pub(crate) fn gets(&self, words: &[&str]) -> String {
        let printed = self.runs(words);
        assert_eq!(printed.status, Some(0), "{words:?}: {printed:?}");
        printed.out
    }

    pub(crate) fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    }

    /// Writes an executable shell script.
    // Not on Windows: the tests use `cmd` there.
    #[cfg(unix)]
    pub(crate) fn script(&self, name: &str, text: &str) -> PathBuf {
        use std::os::unix::fs::PermissionsExt;
        let path = self.write(name, &format!("#!/bin/sh\n{text}\n"));
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        path
    }
}

pub(crate) fn printed(command: &mut Command) -> Printed {
    let output = command.output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Printed { out: text(&output.stdout), err: text(&output.stderr), status: output.status.code() }
}

/// The example server over HTTP.
pub(crate) struct HttpServer {
    process: Child,
    pub(crate) url: String,
}

impl HttpServer {
    pub(crate) fn start() -> HttpServer {
        let mut command = Command::new(Path::new(&playground()));
        let mut process = command.args(["--http", "0"]).stdout(Stdio::piped()).spawn().unwrap();
        let mut url = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut url).unwrap();
        HttpServer { process, url: url.trim().to_owned() }
    }
}

impl Drop for HttpServer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
