use std::{fs, path::PathBuf, process::Command};

use crate::{
    install::{install_once, run_step},
    missing::Missing,
    target::workspace,
};

/// The folder with the pinned version of the official SDK for agents in TypeScript, in the workspace.
pub const AGENT_SDK: &str = "crates/mcp-agent-test/agent-sdk";

/// Installs the official SDK for agents in TypeScript at its pinned version, and returns the folder of the installation.
///
/// The CLI is left out: it is a package of its own.
///
/// # Errors
///
/// If npm is not installed, or it cannot install the package.
///
/// # Panics
///
/// If the target folder cannot be written.
pub fn agent_sdk() -> Result<PathBuf, Missing> {
    let pinned = workspace().join(AGENT_SDK);
    let lock = fs::read_to_string(pinned.join("package-lock.json")).expect("the lock file is committed");
    install_once("agent-sdk-without-cli", &lock, |folder| {
        for name in ["package.json", "package-lock.json"] {
            fs::copy(pinned.join(name), folder.join(name)).expect("the target folder is writable");
        }
        let mut npm = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
        npm.args(["ci", "--omit=optional", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"])
            .current_dir(folder);
        run_step("TypeScript SDK for agents", npm)
    })
}
