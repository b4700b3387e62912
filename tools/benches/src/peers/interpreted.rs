//! Servers in TypeScript and Python.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::{contender, environment};
use crate::agents::{PYTHON as AGENT_PYTHON, TYPESCRIPT};
use crate::contender::{Contender, FASTMCP, Kind, NODE_CLIENT, NODE_SDK, NODE_SERVER, PYTHON};
use crate::folders::{Folders, finish};

/// A server of one of the official SDKs, or of FastMCP.
pub(super) fn peer(folders: &Folders, key: &'static str) -> Result<Contender> {
    let command = match key {
        NODE_SDK => node(folders, "sdk.mjs")?,
        NODE_SERVER => node(folders, "server.mjs")?,
        PYTHON => python(folders, "mcp_server.py")?,
        FASTMCP => python(folders, "fastmcp_server.py")?,
        other => bail!("unknown server {other}"),
    };
    Ok(contender(key, Kind::Interpreted, command.map(Into::into).into()))
}

/// The client of one of the official SDKs.
pub(super) fn client(folders: &Folders, key: &'static str) -> Result<Vec<OsString>> {
    let command = match key {
        NODE_CLIENT => node(folders, "client.mjs")?,
        PYTHON => python(folders, "client.py")?,
        other => bail!("unknown client {other}"),
    };
    Ok(command.map(Into::into).into())
}

/// A program with an agent, written with one of the official SDKs.
pub(super) fn agent(folders: &Folders, key: &'static str) -> Result<Vec<OsString>> {
    let command = match key {
        TYPESCRIPT => {
            // The SDK brings the CLI as an optional package, which is not needed here.
            let folder = npm(folders, "agent-node", &["--omit=optional"])?;
            [node_program(folders)?, folder.join("agent.mjs")]
        }
        AGENT_PYTHON => pip(folders, "agent-python", &folders.peers().join("agent-python/requirements.txt"), "agent.py")?,
        other => bail!("unknown program {other}"),
    };
    Ok(command.map(Into::into).into())
}

fn node(folders: &Folders, script: &str) -> Result<[PathBuf; 2]> {
    Ok([node_program(folders)?, npm(folders, "node", &[])?.join(script)])
}

/// The pinned Node.js; on platforms without one, the installed Node.js.
fn node_program(folders: &Folders) -> Result<PathBuf> {
    let pinned = npm(folders, "node", &[])?.join("node_modules/.bin/node");
    Ok(if pinned.exists() { pinned } else { "node".into() })
}

/// Installs the npm packages of a folder of peers, and returns the folder with its scripts and packages.
fn npm(folders: &Folders, name: &str, options: &[&str]) -> Result<PathBuf> {
    let sources = folders.peers().join(name);
    let lock = fs::read_to_string(sources.join("package-lock.json")).context("the lock file is committed")?;
    let folder = environment::once(&folders.folder().join(name), &lock, |folder| {
        for file in ["package.json", "package-lock.json"] {
            fs::copy(sources.join(file), folder.join(file))?;
        }
        let mut npm = Command::new("npm");
        // No package needs its install script here.
        npm.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]).args(options).current_dir(folder);
        finish(npm).map(drop)
    })?;
    bring(&sources, &folder, "mjs")?;
    Ok(folder)
}

fn python(folders: &Folders, script: &str) -> Result<[PathBuf; 2]> {
    // The same lock file as for the Python clients of tools/interop.
    pip(folders, "python", &folders.root.join("tools/interop/python/requirements.txt"), script)
}

/// Installs the packages of a lock file, and returns the interpreter and the script of a folder of peers.
fn pip(folders: &Folders, name: &str, requirements: &Path, script: &str) -> Result<[PathBuf; 2]> {
    let lock = fs::read_to_string(requirements).context("the lock file is committed")?;
    let folder = environment::once(&folders.folder().join(name), &lock, |folder| {
        let mut venv = Command::new("python3");
        venv.args(["-m", "venv"]).arg(folder);
        finish(venv)?;
        let mut pip = Command::new(folder.join("bin/python"));
        pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes", "-r"]);
        pip.arg(requirements);
        finish(pip).map(drop)
    })?;
    bring(&folders.peers().join(name), &folder, "py")?;
    Ok([folder.join("bin/python"), folder.join(script)])
}

/// Copies the scripts into their environment, where they find its packages. On every run, because they change more often
/// than the lock file.
fn bring(sources: &Path, folder: &Path, extension: &str) -> Result<()> {
    for entry in fs::read_dir(sources)? {
        let script = entry?.path();
        if script.extension().is_some_and(|found| found == extension) {
            fs::copy(&script, folder.join(script.file_name().context("a script has a name")?))?;
        }
    }
    Ok(())
}
