//! Servers in Rust: the floor, this project and its peers.

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::{Result, bail};

use super::contender;
use crate::contender::{
    ATTR, BATCH, Contender, FLOOR, Kind, Many, OURS, PIPES, RMCP, RUST_SDK, TOWER, TOWER_VALIDATE, TURBO,
};
use crate::dialect::Dialect;
use crate::progress::say;
use crate::workshop::Workshop;

/// The server written by hand, without and with batching.
pub(super) fn floors(workshop: &Workshop) -> Result<[Contender; 2]> {
    let program = workshop.build()?.join("floor");
    let floor = |key, flags: &[&str]| Contender {
        many: Many::List(lists(workshop)),
        ..contender(key, Kind::Floor, command(program.clone(), flags))
    };
    Ok([floor(FLOOR, &[]), floor(BATCH, &["--batch"])])
}

/// Where the floor finds what this project answers to `tools/list`.
pub(super) fn lists(workshop: &Workshop) -> PathBuf {
    workshop.folder().join("lists")
}

/// `examples/bench.rs` of `tools/benches`.
pub(super) fn ours(workshop: &Workshop) -> Result<Contender> {
    let program = workshop.build()?.join("examples/bench");
    Ok(Contender { many: Many::Flag { own: 4 }, ..contender(OURS, Kind::Ours, command(program, &[])) })
}

/// Another framework.
pub(super) fn peer(workshop: &Workshop, key: &'static str) -> Result<Contender> {
    say(format_args!("building {key}"));
    let built = |name: &str, folder: &str, flags: &[&str]| -> Result<PathBuf> {
        Ok(workshop.build_peer(name, folder, flags)?.join(format!("bench-{name}")))
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
        other => bail!("there is no {other}"),
    })
}

/// The program of rmcp that calls it in its own process.
pub(super) fn duplex(workshop: &Workshop) -> Result<OsString> {
    Ok(workshop.build_peer("rmcp", "rmcp", &["--bins"])?.join("duplex").into())
}

fn command(program: PathBuf, flags: &[&str]) -> Vec<OsString> {
    std::iter::once(program.into()).chain(flags.iter().map(OsString::from)).collect()
}
