//! The pinned versions of the CLI and of the SDK.

use std::collections::BTreeSet;
use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use test_env::{AGENT_SDK, workspace};

use crate::changes::changes;
use crate::install::{declarations, sdk};
use crate::table::Table;

const CLI: &str = "@anthropic-ai/claude-code";
const SDK: &str = "@anthropic-ai/claude-agent-sdk";

/// The folders with a pinned package, in the workspace: for tests of the CLI, for tests of and comparisons with the SDK, for benchmarks.
const PINS: [(&str, &str); 3] =
    [("crates/mcp-agent-test/claude-code", CLI), (AGENT_SDK, SDK), ("tools/benches/peers/agent-node", SDK)];

/// Sources that may have the pinned versions as text.
const SOURCES: [&str; 4] = [
    "crates/mcp-agent-test/src/cli.rs",
    "tools/benches/src/agents.rs",
    "tools/benches/src/bin/measuring_cli.rs",
    "tools/interop/tests/clients/claude_code.rs",
];

/// The table, which has the date of the pin.
const TABLE: &str = "tools/agent-parity/parity.toml";

/// Returns the pinned version in each folder: of the CLI, then of the SDK.
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

/// Returns the versions of the CLI and of the SDK that sources have as text, each with the path of its file.
///
/// # Errors
/// If a file cannot be read.
pub fn in_sources() -> Result<Vec<(&'static str, String)>, Box<dyn Error>> {
    let mut found = Vec::new();
    for path in SOURCES {
        let text = fs::read_to_string(workspace().join(path))?;
        let words = text.split(|c: char| c != '.' && !c.is_ascii_digit());
        let versions = words.filter(|word| {
            (word.starts_with("2.1.") || word.starts_with("0.3.")) && word.matches('.').count() == 2 && !word.ends_with('.')
        });
        found.extend(versions.map(|version| (path, version.to_owned())));
    }
    Ok(found)
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
        // The CLI and the SDK of a day have the same last number, for instance 2.1.327 and 0.3.327.
        let day = cli.rsplit('.').next().unwrap_or_default().to_owned();
        let versions = npm(&["view", SDK, "versions", "--json"], workspace())?;
        let versions: Vec<String> = serde_json::from_str(&versions)?;
        let found = versions.into_iter().rfind(|version| version.rsplit('.').next() == Some(&day));
        let sdk_version = found.ok_or_else(|| format!("there is no version of {SDK} that ends with {day}"))?;

        let [old_cli, old_sdk_version, _] = pinned()?;
        let (old_sdk, old_tools) = declarations(&sdk()?)?;
        let old_wire = wire()?;
        for (folder, package) in PINS {
            let version = if package == CLI { &cli } else { &sdk_version };
            let wanted = format!("{package}@{version}");
            let flags = ["--package-lock-only", "--save-exact", "--ignore-scripts", "--no-audit", "--no-fund"];
            npm(&[&["install"], flags.as_slice(), &[&wanted]].concat(), &workspace().join(folder))?;
        }
        for path in SOURCES {
            replace(path, &[(&old_cli, &cli), (&old_sdk_version, &sdk_version)])?;
        }
        let old_date = Table::read()?.date;
        replace(TABLE, &[(&format!("date = \"{old_date}\""), &format!("date = \"{}\"", published(&cli)?))])?;

        let (new_sdk, new_tools) = declarations(&sdk()?)?;
        let mut report = vec![format!("{CLI} {old_cli} -> {cli}, {SDK} {old_sdk_version} -> {sdk_version}")];
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

/// Returns the day on which a version of the CLI was published.
fn published(version: &str) -> Result<String, Box<dyn Error>> {
    let times: Value = serde_json::from_str(&npm(&["view", CLI, "time", "--json"], workspace())?)?;
    let time = times[version].as_str().and_then(|time| time.split('T').next());
    Ok(time.ok_or_else(|| format!("npm has no date for {CLI} {version}"))?.to_owned())
}

fn replace(path: &str, changes: &[(&str, &str)]) -> Result<(), Box<dyn Error>> {
    let path = workspace().join(path);
    let text = fs::read_to_string(&path)?;
    fs::write(&path, changes.iter().fold(text, |text, (old, new)| text.replace(old, new)))?;
    Ok(())
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
