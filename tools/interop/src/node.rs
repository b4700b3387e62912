use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{
    install::{bring_scripts, once, step},
    missing::Missing,
    sandbox::Sandbox,
};

/// A pinned npm environment with the Node.js that its packages need.
#[derive(Debug)]
pub struct Node {
    folder: PathBuf,
    node: PathBuf,
}

impl Node {
    /// The clients that are JavaScript: the two official SDKs and the Inspector.
    ///
    /// # Errors
    ///
    /// If there is no npm, or it cannot install the packages.
    pub fn clients() -> Result<Self, Missing> {
        let installed = Self::install("node-clients", "node")?;
        bring_scripts("clients", &installed.folder, "mjs");
        Ok(installed)
    }

    /// The official servers that are JavaScript.
    ///
    /// # Errors
    ///
    /// If there is no npm, or it cannot install the packages.
    pub fn servers() -> Result<Self, Missing> {
        let installed = Self::install("node-servers", "servers")?;
        bring_scripts("servers", &installed.folder, "mjs");
        Ok(installed)
    }

    /// The official conformance suite, in two versions.
    ///
    /// # Errors
    ///
    /// If there is no npm, or it cannot install the packages.
    pub fn conformance() -> Result<Self, Missing> {
        Self::install("node-conformance", "conformance")
    }

    /// The official maker of MCPB bundles.
    ///
    /// # Errors
    ///
    /// If there is no npm, or it cannot install the packages.
    pub fn mcpb() -> Result<Self, Missing> {
        Self::install("node-mcpb", "mcpb")
    }

    /// Installs what a folder of this package names.
    fn install(name: &str, manifests: &str) -> Result<Self, Missing> {
        let manifests = Path::new(env!("CARGO_MANIFEST_DIR")).join(manifests);
        let lock = fs::read_to_string(manifests.join("package-lock.json")).expect("the lock file is committed");
        let folder = once(name, &lock, |folder| {
            for file in ["package.json", "package-lock.json"] {
                fs::copy(manifests.join(file), folder.join(file)).expect("the target folder is writable");
            }
            let mut npm = Command::new("npm");
            // No package needs its install script here, so none is run.
            npm.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]).current_dir(folder);
            step("npm packages", npm)
        })?;
        let pinned = folder.join("node_modules/.bin/node");
        // Platforms without a pinned Node.js use the one that came with npm.
        let node = if pinned.exists() { pinned } else { "node".into() };
        Ok(Self { folder, node })
    }

    /// A run of one of this package's scripts.
    #[must_use]
    pub fn script(&self, name: &str, sandbox: &Sandbox) -> Command {
        let mut command = sandbox.command(&self.node);
        command.arg(self.folder.join(name));
        command
    }

    /// A run of a program that a package brings, given by its path in `node_modules`.
    #[must_use]
    pub fn program(&self, path: &str, sandbox: &Sandbox) -> Command {
        let mut command = sandbox.command(&self.node);
        command.arg(self.folder.join("node_modules").join(path));
        command
    }
}
