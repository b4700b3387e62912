//! The declarations of the official SDK for TypeScript, in the pinned version.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use test_env::{Missing, agent_sdk};

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
    Ok(agent_sdk()?.join("node_modules/@anthropic-ai/claude-agent-sdk"))
}

/// Reads the declarations of the SDK and those of its tools.
///
/// # Errors
/// If a file cannot be read.
pub fn declarations(sdk: &Path) -> io::Result<(Declarations, Declarations)> {
    let read = |name: &str| fs::read_to_string(sdk.join(name)).map(|text| Declarations::read(&text));
    Ok((read("sdk.d.ts")?, read("sdk-tools.d.ts")?))
}
