//! Builds of the project, by cargo.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::mpsc::Sender;
use std::thread;
use std::time::SystemTime;

use serde_json::Value;

use super::Happening;
use crate::{Failure, tell};

/// How to build, and what to give to the server.
#[derive(Clone, Debug)]
pub(super) struct Build {
    options: Vec<String>,
    pub(super) arguments: Vec<String>,
}

/// What came of a build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Built {
    /// The program, if it could be built.
    pub(super) program: Option<PathBuf>,
    /// When it was made: a build that changes nothing makes nothing.
    made: Option<SystemTime>,
}

impl Build {
    pub(super) fn new(words: &[String]) -> Result<Build, Failure> {
        let split = words.iter().position(|word| word == "--").unwrap_or(words.len());
        let build = Build { options: words[..split].to_vec(), arguments: words.iter().skip(split + 1).cloned().collect() };
        build.metadata().map(|_| build)
    }

    /// The folders of the project and of everything that it is built from by path.
    pub(super) fn folders(&self) -> Result<Vec<PathBuf>, Failure> {
        let metadata = self.metadata()?;
        let packages = metadata["packages"].as_array().into_iter().flatten();
        // What has a source comes from elsewhere, and does not change.
        let ours = packages.filter(|package| package["source"].is_null());
        let manifests = ours.filter_map(|package| Some(PathBuf::from(package["manifest_path"].as_str()?)));
        Ok(manifests.filter_map(|manifest| manifest.parent().map(PathBuf::from)).collect())
    }

    fn metadata(&self) -> Result<Value, Failure> {
        let mut cargo = cargo();
        cargo.args(["metadata", "--format-version", "1"]);
        if let Some(host) = host() {
            // Else crates of other systems are asked for too, which no build here has fetched.
            cargo.args(["--filter-platform", &host]);
        }
        if let Some(at) = self.options.iter().position(|word| word == "--manifest-path") {
            cargo.args(&self.options[at..(at + 2).min(self.options.len())]);
        }
        let output =
            cargo.stdin(Stdio::null()).output().map_err(|error| Failure::new(format!("cargo does not start: {error}")))?;
        serde_json::from_slice(&output.stdout).map_err(|_| {
            Failure::new(format!("this is no project that cargo knows:\n{}", String::from_utf8_lossy(&output.stderr)))
        })
    }

    /// Builds, in a thread of its own, and tells when that is over.
    pub(super) fn start(&self, sender: Sender<Happening>) {
        let build = self.clone();
        thread::spawn(move || {
            let program = build.run();
            let made = program.as_ref().and_then(|program| fs::metadata(program).ok()?.modified().ok());
            let _ = sender.send(Happening::Built(Built { program, made }));
        });
    }

    fn run(&self) -> Option<PathBuf> {
        let mut cargo = cargo();
        cargo.args(["build", "--message-format=json-render-diagnostics"]).args(&self.options);
        // Standard output is the client's: what cargo says there is read here, the rest is for the author.
        let output = cargo.stdin(Stdio::null()).stderr(Stdio::inherit()).output();
        let output = output.map_err(|error| tell(&format!("cargo does not start: {error}"))).ok()?;
        if !output.status.success() {
            return None;
        }
        let messages = String::from_utf8_lossy(&output.stdout);
        let programs = messages.lines().filter_map(|line| {
            let message: Value = serde_json::from_str(line).ok()?;
            let is_program = message["target"]["kind"].as_array()?.iter().any(|kind| kind == "bin");
            message["executable"].as_str().filter(|_| is_program).map(PathBuf::from)
        });
        let mut programs: Vec<PathBuf> = programs.collect();
        if programs.len() > 1 {
            tell(&format!("there are {} programs here, and the last is served; --bin NAME chooses one", programs.len()));
        }
        programs.pop()
    }
}

/// The cargo that has called us.
fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// The system that cargo builds for.
fn host() -> Option<String> {
    let version = cargo().arg("-vV").stdin(Stdio::null()).output().ok()?;
    let version = String::from_utf8_lossy(&version.stdout);
    version.lines().find_map(|line| line.strip_prefix("host: ")).map(str::to_owned)
}
