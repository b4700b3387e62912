use std::{
    fs,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::OnceLock,
};

use crate::calculator::example;

/// The `everything` example of this workspace, built on first use. It has one of each feature of MCP.
///
/// # Panics
///
/// If the example does not build.
#[must_use]
pub fn everything() -> &'static Path {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    BINARY.get_or_init(|| example("everything"))
}

/// The `everything` example of this workspace, serving over HTTP on a free port. Dropping the value stops it.
#[derive(Debug)]
pub struct Everything {
    process: Child,
    url: String,
}

impl Everything {
    /// Starts the server. The example is built on first use.
    ///
    /// # Panics
    ///
    /// If the example does not build, or does not print its URL.
    #[must_use]
    pub fn start() -> Self {
        let mut process = Command::new(everything())
            .args(["--http", "0"])
            .env_clear()
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the example starts");
        let mut url = String::new();
        let output = process.stdout.take().expect("stdout is a pipe");
        BufReader::new(output).read_line(&mut url).expect("the example prints its URL");
        assert!(url.starts_with("http://127.0.0.1:"), "not a URL: {url:?}");
        Self { process, url: url.trim().to_owned() }
    }

    /// The URL of the MCP endpoint.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The resident memory of the server in bytes. `None` on systems other than Linux.
    #[must_use]
    pub fn memory(&self) -> Option<u64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.process.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        line.trim().trim_end_matches(" kB").parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
    }
}

impl Drop for Everything {
    fn drop(&mut self) {
        // Fails if the server has already exited.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
