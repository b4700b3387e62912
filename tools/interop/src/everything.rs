use std::{
    fs,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::OnceLock,
};

use crate::calculator::example;

/// The server that has one of everything: the `everything` example of this workspace, built on first use.
///
/// # Panics
///
/// If the example does not build.
#[must_use]
pub fn everything() -> &'static Path {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    BINARY.get_or_init(|| example("everything"))
}

/// The `everything` example of this workspace, serving over HTTP on a port of its own. It ends with this value.
#[derive(Debug)]
pub struct Everything {
    process: Child,
    url: String,
}

impl Everything {
    /// Starts it; the example is built on first use.
    ///
    /// # Panics
    ///
    /// If the example does not build, or does not say where it serves.
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
        let output = process.stdout.take().expect("its output is a pipe");
        BufReader::new(output).read_line(&mut url).expect("the example says where it serves");
        assert!(url.starts_with("http://127.0.0.1:"), "no address: {url:?}");
        Self { process, url: url.trim().to_owned() }
    }

    /// Where it serves.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }
}

impl Everything {
    /// How many bytes of memory it holds, where the system says so.
    #[must_use]
    pub fn memory(&self) -> Option<u64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.process.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        line.trim().trim_end_matches(" kB").parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
    }
}

impl Drop for Everything {
    fn drop(&mut self) {
        // It may have ended by itself; then there is nothing to do.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
