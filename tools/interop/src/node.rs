use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use test_env::{Missing, install_once, run_step};

use crate::{sandbox::Sandbox, scripts::copy_scripts};

/// Pinned npm packages, and the Node.js that runs them.
#[derive(Debug)]
pub struct Node {
    folder: PathBuf,
    node: PathBuf,
}

impl Node {
    /// The clients that are written in JavaScript: the two official SDKs and the Inspector.
    ///
    /// # Errors
    ///
    /// If npm is not installed, or it cannot install the packages.
    pub fn clients() -> Result<Self, Missing> {
        let installed = Self::install("node-clients", "node")?;
        copy_scripts("clients", &installed.folder, "mjs");
        Ok(installed)
    }

    /// Installs the official servers in JavaScript.
    ///
    /// # Errors
    ///
    /// If npm is not installed, or it cannot install the packages.
    pub fn servers() -> Result<Self, Missing> {
        let installed = Self::install("node-servers", "servers")?;
        copy_scripts("servers", &installed.folder, "mjs");
        Ok(installed)
    }

    /// The official conformance suite, in two versions.
    ///
    /// # Errors
    ///
    /// If npm is not installed, or it cannot install the packages.
    pub fn conformance() -> Result<Self, Missing> {
        Self::install("node-conformance", "conformance")
    }

    /// The official tool that makes MCPB bundles.
    ///
    /// # Errors
    ///
    /// If npm is not installed, or it cannot install the packages.
    pub fn mcpb() -> Result<Self, Missing> {
        Self::install("node-mcpb", "mcpb")
    }

    /// Installs the packages that the lock file in the folder `manifests` of this package pins.
    fn install(name: &str, manifests: &str) -> Result<Self, Missing> {
        let manifests = Path::new(env!("CARGO_MANIFEST_DIR")).join(manifests);
        let lock = fs::read_to_string(manifests.join("package-lock.json")).expect("the lock file is committed");
        let folder = install_once(name, &lock, |folder| {
            for file in ["package.json", "package-lock.json"] {
                fs::copy(manifests.join(file), folder.join(file)).expect("the target folder is writable");
            }
            let mut npm = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
            // No package needs its install script here.
            npm.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]).current_dir(folder);
            run_step("npm packages", npm)
        })?;
        let pinned = folder.join("node_modules/.bin/node");
        // On platforms without a pinned Node.js, the installed one is used.
        let node = if pinned.exists() { pinned } else { "node".into() };
        // Under Wine the folder can be that of a run on Linux, whose Node.js cannot be started there.
        let mut version = Command::new(&node);
        version.arg("--version");
        run_step("Node.js", version)?;
        Ok(Self { folder, node })
    }

    /// The command that runs a script of the folder `clients`.
    #[must_use]
    pub fn script(&self, name: &str, sandbox: &Sandbox) -> Command {
        let mut command = sandbox.command(&self.node);
        command.arg(self.folder.join(name));
        command
    }

    /// The command that runs a program of a package, given by its path in `node_modules`.
    #[must_use]
    pub fn program(&self, path: &str, sandbox: &Sandbox) -> Command {
        let mut command = sandbox.command(&self.node);
        command.arg(self.folder.join("node_modules").join(path));
        command
    }
}
