//! Getting the servers: building or installing them, in pinned versions, under the target folder.

mod environment;
mod interpreted;
mod native;

use std::ffi::OsString;

use anyhow::{Context, Result};

use crate::contender::{self, Contender, Kind};
use crate::dialect::Dialect;
use crate::measure::{MANY, Plan, list};
use crate::progress::say;
use crate::workshop::Workshop;

/// The servers with these names, or all. What cannot be had here is left out, and said so, unless it was asked for by name.
pub(crate) fn contenders(workshop: &Workshop, plan: &Plan, only: Option<&[String]>) -> Result<Vec<Contender>> {
    let floors = native::floors(workshop)?;
    let ours = native::ours(workshop)?;
    for total in plan.tools.iter().copied().chain([MANY]) {
        list(&ours, total, &native::lists(workshop)).context("what the floor lists")?;
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
            contender::NODE_SDK | contender::NODE_SERVER | contender::PYTHON | contender::FASTMCP => {
                interpreted::peer(workshop, key)
            }
            _ => native::peer(workshop, key),
        };
        match contender {
            Ok(contender) => found.push(contender),
            Err(error) if only.is_some() => return Err(error.context(key)),
            Err(error) => say(format_args!("LEFT OUT: {title}: {error:#}")),
        }
    }
    Ok(found)
}

/// The program of rmcp that calls it in its own process.
pub(crate) fn duplex(workshop: &Workshop) -> Result<OsString> {
    native::duplex(workshop)
}

fn contender(key: &'static str, kind: Kind, command: Vec<OsString>) -> Contender {
    Contender { key, command, dialect: Dialect::Handshake, kind, many: contender::Many::No }
}
