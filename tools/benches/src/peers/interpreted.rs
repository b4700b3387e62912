//! Servers in TypeScript and Python.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::{contender, environment};
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

fn node(folders: &Folders, script: &str) -> Result<[PathBuf; 2]> {
    let sources = folders.peers().join("node");
    let lock = fs::read_to_string(sources.join("package-lock.json")).context("the lock file is committed")?;
    let folder = environment::once(&folders.folder().join("node"), &lock, |folder| {
        for file in ["package.json", "package-lock.json"] {
            fs::copy(sources.join(file), folder.join(file))?;
        }
        let mut npm = Command::new("npm");
        // No package needs its install script here.
        npm.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]).current_dir(folder);
        finish(npm).map(drop)
    })?;
    bring(&sources, &folder, "mjs")?;
    let pinned = folder.join("node_modules/.bin/node");
    // On platforms without a pinned Node.js, the installed one is used.
    let node = if pinned.exists() { pinned } else { "node".into() };
    Ok([node, folder.join(script)])
}

fn python(folders: &Folders, script: &str) -> Result<[PathBuf; 2]> {
    // The same lock file as for the Python clients of tools/interop.
    let requirements = folders.root.join("tools/interop/python/requirements.txt");
    let lock = fs::read_to_string(&requirements).context("the lock file is committed")?;
    let folder = environment::once(&folders.folder().join("python"), &lock, |folder| {
        let mut venv = Command::new("python3");
        venv.args(["-m", "venv"]).arg(folder);
        finish(venv)?;
        let mut pip = Command::new(folder.join("bin/python"));
        pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes", "-r"]);
        pip.arg(&requirements);
        finish(pip).map(drop)
    })?;
    bring(&folders.peers().join("python"), &folder, "py")?;
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
