//! Builds or installs the servers in pinned versions, under the target folder.

mod environment;
mod interpreted;
mod native;

use std::ffi::OsString;

use anyhow::{Context, Result};

use crate::contender::{self, Contender, Kind};
use crate::dialect::Dialect;
use crate::folders::Folders;
use crate::measure::{MANY, Plan, list};
use crate::progress::say;

/// The servers with these names, or all. One that cannot be installed is left out with a message, or an error if it was named.
pub(crate) fn contenders(folders: &Folders, plan: &Plan, only: Option<&[String]>) -> Result<Vec<Contender>> {
    let floors = native::floors(folders)?;
    let ours = native::ours(folders)?;
    for total in plan.tools.iter().copied().chain([MANY]) {
        list(&ours, total, &native::lists(folders)).context("what the floor lists")?;
    }
    let mut found = Vec::new();
    for (key, title) in contender::ALL {
        if only.is_some_and(|only| !only.iter().any(|name| name == key)) {
            continue;
        }
        let contender = match key {
            contender::FLOOR => Ok(floors[0].clone()),
            contender::BATCH => Ok(floors[1].clone()),
            contender::OURS => Ok(ours.clone()),
            contender::OURS_NEW => native::ours_new(folders),
            contender::NODE_SDK | contender::NODE_SERVER | contender::PYTHON | contender::FASTMCP => {
                interpreted::peer(folders, key)
            }
            _ => native::peer(folders, key),
        };
        match contender {
            Ok(contender) => found.push(contender),
            Err(error) if only.is_some() => return Err(error.context(key)),
            Err(error) => say(format_args!("LEFT OUT: {title}: {error:#}")),
        }
    }
    Ok(found)
}

/// The command of a client of another framework.
pub(crate) fn client(folders: &Folders, key: &'static str) -> Result<Vec<OsString>> {
    match key {
        contender::RMCP => native::client(folders),
        _ => interpreted::client(folders, key),
    }
}

/// The command of a program with an agent, written with another SDK.
pub(crate) fn agent(folders: &Folders, key: &'static str) -> Result<Vec<OsString>> {
    interpreted::agent(folders, key)
}

/// The program that calls rmcp in the same process.
pub(crate) fn duplex(folders: &Folders) -> Result<OsString> {
    native::duplex(folders)
}

fn contender(key: &'static str, kind: Kind, command: Vec<OsString>) -> Contender {
    Contender { key, command, dialect: Dialect::Handshake, kind, many: contender::Many::No }
}
