//! Toolchains for other targets, which the scripts `tools/NAME/toolchain` prepare.

use std::{env, io, path::PathBuf, process::Command, time::Instant};

use crate::target;

/// The exit status of a script that cannot prepare the toolchain on this machine.
const SKIPPED: i32 = 77;

/// A prepared toolchain.
pub(crate) struct Toolchain {
    /// What the script prepared. The file `env` in it sets the environment.
    pub(crate) folder: PathBuf,
    /// The target folder of cargo.
    pub(crate) build: PathBuf,
}

impl Toolchain {
    /// Runs the script of a toolchain. Returns `None` if there is none for this machine; the script has said why.
    pub(crate) fn prepare(name: &str) -> io::Result<Option<Toolchain>> {
        let target = target()?;
        let folder = target.join(format!("{name}-toolchain"));
        let start = Instant::now();
        let script = format!("tools/{name}/toolchain");
        let prepared = Command::new(&script).arg(&folder).status()?;
        if prepared.code() == Some(SKIPPED) {
            return Ok(None);
        }
        if !prepared.success() {
            return Err(io::Error::other(format!("{script} failed")));
        }
        println!("The toolchain was ready after {} s.", start.elapsed().as_secs());
        Ok(Some(Toolchain { folder, build: target.join(name) }))
    }

    /// Returns cargo in the environment of the toolchain.
    pub(crate) fn cargo(&self, command: &str, target: &str) -> Command {
        let mut cargo = Command::new("bash");
        cargo.args(["-c", r#". "$0" && exec cargo "$@""#]).arg(self.folder.join("env"));
        cargo.args([command, "--locked", "--target", target, "--target-dir"]).arg(&self.build);
        // Cargo sets these for the programs that it runs, such as this one.
        for (name, _) in env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("CARGO_PKG_")) {
            cargo.env_remove(name);
        }
        cargo
    }
}
