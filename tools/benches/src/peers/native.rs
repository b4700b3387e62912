//! Servers in Rust: the floor, this project and its peers.

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;

use anyhow::{Result, bail};

use super::contender;
use crate::contender::{
    ATTR, BATCH, Contender, FLOOR, Kind, Many, OURS, OURS_NEW, PIPES, RMCP, RUST_SDK, TOWER, TOWER_VALIDATE, TURBO,
};
use crate::dialect::Dialect;
use crate::folders::{Folders, cargo, finish};
use crate::progress::say;

/// The hand-written server, with and without batching.
pub(super) fn floors(folders: &Folders) -> Result<[Contender; 2]> {
    let program = folders.build()?.join("floor");
    let floor = |key, flags: &[&str]| Contender {
        many: Many::List(lists(folders)),
        ..contender(key, Kind::Floor, command(program.clone(), flags))
    };
    Ok([floor(FLOOR, &[]), floor(BATCH, &["--batch"])])
}

/// The folder with the responses of this project to `tools/list`, for the floor.
pub(super) fn lists(folders: &Folders) -> PathBuf {
    folders.folder().join("lists")
}

/// `examples/bench.rs` of `tools/benches`.
pub(super) fn ours(folders: &Folders) -> Result<Contender> {
    let program = folders.build()?.join("examples/bench");
    Ok(Contender { many: Many::Flag { own: 4 }, ..contender(OURS, Kind::Ours, command(program, &[])) })
}

/// The same, built with the profile of `cargo mcp new`.
pub(super) fn ours_new(folders: &Folders) -> Result<Contender> {
    say(format_args!("building {OURS_NEW}"));
    let package = folders.package_with_ours("bench-new", "serde_json = \"1\"\n")?;
    fs::copy(folders.root.join("tools/benches/examples/bench.rs"), package.join("src/main.rs"))?;
    let target = folders.folder().join("peers").join("ours-new");
    let mut build = cargo("build");
    build.args(["--quiet", "--release", "--config", &folders.new_profile()?]);
    build.arg("--target-dir").arg(&target).current_dir(&package);
    finish(build)?;
    let program = target.join("release/bench-new");
    Ok(Contender { many: Many::Flag { own: 4 }, ..contender(OURS_NEW, Kind::Ours, command(program, &[])) })
}

/// Another framework.
pub(super) fn peer(folders: &Folders, key: &'static str) -> Result<Contender> {
    say(format_args!("building {key}"));
    let built = |name: &str, folder: &str, flags: &[&str]| -> Result<PathBuf> {
        Ok(folders.build_peer(name, folder, flags)?.join(format!("bench-{name}")))
    };
    let native = |program, flags| contender(key, Kind::Native, command(program, flags));
    Ok(match key {
        RMCP => native(built("rmcp", "rmcp", &["--bins"])?, &[]),
        PIPES => {
            let pipes = native(built("rmcp", "rmcp", &["--bins"])?, &["--stored", "--pipes"]);
            Contender { many: Many::Flag { own: 3 }, ..pipes }
        }
        TOWER => native(built("tower-mcp", "tower-mcp", &[])?, &[]),
        TOWER_VALIDATE => native(built("tower-mcp", "tower-mcp-validate", &["--features", "validate"])?, &[]),
        RUST_SDK => Contender { dialect: Dialect::Stateless, ..native(built("rust-mcp-sdk", "rust-mcp-sdk", &[])?, &[]) },
        TURBO => native(built("turbomcp", "turbomcp", &[])?, &[]),
        ATTR => native(built("mcp-attr", "mcp-attr", &[])?, &[]),
        other => bail!("unknown server {other}"),
    })
}

/// The program that calls rmcp in the same process.
pub(super) fn duplex(folders: &Folders) -> Result<OsString> {
    Ok(folders.build_peer("rmcp", "rmcp", &["--bins"])?.join("duplex").into())
}

/// The client of rmcp.
pub(super) fn client(folders: &Folders) -> Result<Vec<OsString>> {
    Ok(vec![folders.build_peer("rmcp", "rmcp", &["--bins"])?.join("client").into()])
}

fn command(program: PathBuf, flags: &[&str]) -> Vec<OsString> {
    std::iter::once(program.into()).chain(flags.iter().map(OsString::from)).collect()
}
