//! The pinned versions of the CLI and of the SDK.

use std::collections::BTreeSet;
use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::Command;

use mcp_agent_test::Cli;
use serde_json::Value;
use test_env::workspace;

use crate::changes::changes;
use crate::install::{declarations, sdk};

const CLI: &str = "@anthropic-ai/claude-code";
const SDK: &str = "@anthropic-ai/claude-agent-sdk";

/// The folder of the SDK for the comparison.
const DECLARATIONS: &str = "tools/agent-parity/sdk";

/// The folders with a pinned package, in the workspace.
const PINS: [(&str, &str); 3] =
    [("crates/mcp-agent-test/claude-code", CLI), ("crates/mcp-agent-test/agent-sdk", SDK), (DECLARATIONS, SDK)];

/// Returns the pinned version of each package: of the CLI, of the SDK for tests, of the SDK for the comparison.
///
/// # Errors
/// If a file cannot be read.
pub fn pinned() -> Result<[String; 3], Box<dyn Error>> {
    let read = |(folder, package): (&str, &str)| -> Result<String, Box<dyn Error>> {
        let text = fs::read_to_string(workspace().join(folder).join("package.json"))?;
        let package: Value = serde_json::from_str::<Value>(&text)?["dependencies"][package].take();
        Ok(package.as_str().ok_or("the version of a package is missing")?.to_owned())
    };
    Ok([read(PINS[0])?, read(PINS[1])?, read(PINS[2])?])
}

/// Moves the pinned versions.
#[derive(Debug)]
pub struct Pin;

impl Pin {
    /// Moves the pinned versions to a version of the CLI, by default the newest, and to the SDK of the same day. Returns what changed.
    ///
    /// # Errors
    /// If npm, the CLI or cargo fails.
    pub fn to(version: Option<&str>) -> Result<String, Box<dyn Error>> {
        let cli = match version {
            Some(version) => version.to_owned(),
            None => npm(&["view", CLI, "version"], workspace())?.trim().to_owned(),
        };
        // The versions of a day differ only in the first two numbers: 2.1.327 and 0.3.327.
        let day = cli.rsplit('.').next().unwrap_or_default().to_owned();
        let versions = npm(&["view", SDK, "versions", "--json"], workspace())?;
        let versions: Vec<String> = serde_json::from_str(&versions)?;
        let found = versions.into_iter().rfind(|version| version.rsplit('.').next() == Some(&day));
        let sdk_version = found.ok_or_else(|| format!("there is no version of {SDK} that ends with {day}"))?;

        let (old_sdk, old_tools) = declarations(&sdk()?)?;
        let old_wire = wire()?;
        for (folder, package) in PINS {
            let version = if package == CLI { &cli } else { &sdk_version };
            let wanted = format!("{package}@{version}");
            let mut arguments = vec![
                "install",
                "--package-lock-only",
                "--save-exact",
                "--ignore-scripts",
                "--no-audit",
                "--no-fund",
                &wanted,
            ];
            if folder == DECLARATIONS {
                // Only the declarations are installed there, without the packages that run the SDK.
                arguments.push("--legacy-peer-deps");
            }
            npm(&arguments, &workspace().join(folder))?;
        }
        let source = workspace().join("crates/mcp-agent-test/src/cli.rs");
        let text = fs::read_to_string(&source)?;
        fs::write(&source, text.replace(&format!("\"{}\"", Cli::VERSION), &format!("\"{cli}\"")))?;

        let (new_sdk, new_tools) = declarations(&sdk()?)?;
        let mut report = vec![format!("{CLI} {} -> {cli}, {SDK} -> {sdk_version}", Cli::VERSION)];
        report.push("\ndeclarations of the SDK:".to_owned());
        report.extend(changes(&old_sdk, &new_sdk));
        report.push("\ndeclarations of the tools:".to_owned());
        report.extend(changes(&old_tools, &new_tools));
        report.push("\non the wire:".to_owned());
        let new_wire = wire()?;
        report.extend(new_wire.difference(&old_wire).map(|shape| format!("+ {shape}")));
        report.extend(old_wire.difference(&new_wire).map(|shape| format!("- {shape}")));
        report.push(
            "\nNext: cargo run -p agent-parity -- page; cargo test -p agent-parity; cargo test -p mcp-agent-test".to_owned(),
        );
        Ok(report.join("\n"))
    }
}

/// Runs the command `wire` of this program, which has the pinned version compiled in.
fn wire() -> Result<BTreeSet<String>, Box<dyn Error>> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["run", "--quiet", "--package", "agent-parity", "--", "wire"]).current_dir(workspace());
    Ok(output(cargo)?.lines().map(ToOwned::to_owned).collect())
}

fn npm(arguments: &[&str], folder: &Path) -> Result<String, Box<dyn Error>> {
    let mut npm = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
    npm.args(arguments).current_dir(folder);
    output(npm)
}

fn output(mut command: Command) -> Result<String, Box<dyn Error>> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    if !output.status.success() {
        return Err(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr).trim()).into());
    }
    Ok(String::from_utf8(output.stdout)?)
}
