//! Builds the project with cargo.

use std::fs;
use std::io::{self, BufRead, BufReader, IsTerminal};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::mpsc::Sender;
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use mcp_core::protocol::Implementation;
use serde_json::Value;

use super::Event;
use crate::{Failure, tell};

/// The time between two lines that say how far a build is.
const PROGRESS_PERIOD: Duration = Duration::from_secs(5);

/// The options for `cargo build`, and the arguments for the server.
#[derive(Clone, Debug)]
pub(super) struct Build {
    options: Vec<String>,
    pub(super) arguments: Vec<String>,
}

/// The result of a build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Built {
    /// The program. `None` if the build failed.
    pub(super) program: Option<PathBuf>,
    /// The modification time of the program. It stays the same if a build changes nothing.
    modified_at: Option<SystemTime>,
}

impl Build {
    pub(super) fn new(words: &[String]) -> Result<Build, Failure> {
        let split = words.iter().position(|word| word == "--").unwrap_or(words.len());
        let build = Build { options: words[..split].to_vec(), arguments: words.iter().skip(split + 1).cloned().collect() };
        build.metadata().map(|_| build)
    }

    /// Returns the folders of the project and of its path dependencies.
    pub(super) fn folders(&self) -> Result<Vec<PathBuf>, Failure> {
        let metadata = self.metadata()?;
        let packages = metadata["packages"].as_array().into_iter().flatten();
        // Packages with a source are from a registry or git, and do not change.
        let ours = packages.filter(|package| package["source"].is_null());
        let manifests = ours.filter_map(|package| Some(PathBuf::from(package["manifest_path"].as_str()?)));
        Ok(manifests.filter_map(|manifest| manifest.parent().map(PathBuf::from)).collect())
    }

    /// Returns the name and version of the package in this folder.
    pub(super) fn package(&self) -> Implementation {
        let metadata = self.metadata().unwrap_or_default();
        let root = &metadata["resolve"]["root"];
        let package = metadata["packages"].as_array().into_iter().flatten().find(|package| package["id"] == *root);
        let text = |key: &str| package.and_then(|package| package[key].as_str()).map(str::to_owned);
        let mut server = Implementation::default();
        server.name = text("name").unwrap_or_else(|| "cargo-mcp-dev".to_owned());
        server.version = text("version").unwrap_or_else(|| env!("CARGO_PKG_VERSION").to_owned());
        server
    }

    fn metadata(&self) -> Result<Value, Failure> {
        let mut cargo = cargo();
        cargo.args(["metadata", "--format-version", "1"]);
        if let Some(host) = host() {
            // Without this option, cargo also needs the crates for other platforms, which may not be downloaded.
            cargo.args(["--filter-platform", &host]);
        }
        if let Some(at) = self.options.iter().position(|word| word == "--manifest-path") {
            cargo.args(&self.options[at..(at + 2).min(self.options.len())]);
        }
        let output =
            cargo.stdin(Stdio::null()).output().map_err(|error| Failure::new(format!("cannot start cargo: {error}")))?;
        serde_json::from_slice(&output.stdout).map_err(|_| {
            Failure::new(format!(
                "cargo cannot read the project in this folder:\n{}",
                String::from_utf8_lossy(&output.stderr)
            ))
        })
    }

    /// Builds in a new thread, and sends [`Event::Built`] at the end.
    pub(super) fn start(&self, sender: Sender<Event>) {
        let build = self.clone();
        thread::spawn(move || {
            let program = build.run();
            let modified_at = program.as_ref().and_then(|program| fs::metadata(program).ok()?.modified().ok());
            let _ = sender.send(Event::Built(Built { program, modified_at }));
        });
    }

    fn run(&self) -> Option<PathBuf> {
        let mut cargo = cargo();
        cargo.args(["build", "--message-format=json-render-diagnostics"]).args(&self.options);
        // Standard output is the connection to the client, so cargo's output is captured. Its stderr is shown to the author.
        let started = cargo.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::inherit()).spawn();
        let mut process = started.map_err(|error| tell(&format!("cannot start cargo: {error}"))).ok()?;
        let (mut programs, mut progress) = (Vec::new(), Progress::new());
        for line in BufReader::new(process.stdout.take()?).lines().map_while(Result::ok) {
            let Ok(message) = serde_json::from_str::<Value>(&line) else { continue };
            if message["reason"] == "compiler-artifact" {
                progress.built_one(message["target"]["name"].as_str().unwrap_or_default());
            }
            let is_program =
                message["target"]["kind"].as_array().is_some_and(|kinds| kinds.iter().any(|kind| kind == "bin"));
            programs.extend(message["executable"].as_str().filter(|_| is_program).map(PathBuf::from));
        }
        if !process.wait().is_ok_and(|status| status.success()) {
            return None;
        }
        if programs.len() > 1 {
            tell(&format!(
                "the project has {} programs and the last one is served: choose another one with --bin NAME",
                programs.len()
            ));
        }
        programs.pop()
    }
}

/// Prints how far a build is. On a terminal cargo does that.
struct Progress {
    began: Instant,
    last_report: Instant,
    crates: usize,
}

impl Progress {
    fn new() -> Progress {
        Progress { began: Instant::now(), last_report: Instant::now(), crates: 0 }
    }

    fn built_one(&mut self, name: &str) {
        self.crates += 1;
        if self.last_report.elapsed() >= PROGRESS_PERIOD && !io::stderr().is_terminal() {
            self.last_report = Instant::now();
            let seconds = self.began.elapsed().as_secs();
            tell(&format!("building: {} crates after {seconds} s, last {name}", self.crates));
        }
    }
}

/// Returns a command for the cargo that started this program.
fn cargo() -> Command {
    Command::new(crate::cargo())
}

/// Returns the host target of cargo.
fn host() -> Option<String> {
    let version = cargo().arg("-vV").stdin(Stdio::null()).output().ok()?;
    let version = String::from_utf8_lossy(&version.stdout);
    version.lines().find_map(|line| line.strip_prefix("host: ")).map(str::to_owned)
}
