//! The package of the official SDK, in the pinned version.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use test_env::{Missing, install_once, run_step};

use crate::declarations::Declarations;

/// The folder of this package.
#[must_use]
pub fn folder() -> PathBuf {
    test_env::workspace().join("tools/agent-parity")
}

/// Installs the package of the SDK under the target folder, and returns the folder with its declarations.
///
/// # Errors
/// If npm is not installed, or it cannot install the package.
pub fn sdk() -> Result<PathBuf, Missing> {
    let source = folder().join("sdk");
    let lock = fs::read_to_string(source.join("package-lock.json")).map_err(|error| Missing::new("agent SDK", error))?;
    let installed = install_once("agent-sdk", &lock, |folder| {
        for name in ["package.json", "package-lock.json"] {
            fs::copy(source.join(name), folder.join(name)).map_err(|error| Missing::new("agent SDK", error))?;
        }
        let mut npm = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
        // Only the declarations are needed: no dependencies, and no CLI for each platform.
        npm.args(["ci", "--ignore-scripts", "--omit=optional", "--legacy-peer-deps", "--no-audit", "--no-fund"]);
        run_step("agent SDK", {
            npm.current_dir(folder);
            npm
        })
    })?;
    Ok(installed.join("node_modules/@anthropic-ai/claude-agent-sdk"))
}

/// Reads the declarations of the SDK and those of its tools.
///
/// # Errors
/// If a file cannot be read.
pub fn declarations(sdk: &Path) -> io::Result<(Declarations, Declarations)> {
    let read = |name: &str| fs::read_to_string(sdk.join(name)).map(|text| Declarations::read(&text));
    Ok((read("sdk.d.ts")?, read("sdk-tools.d.ts")?))
}
