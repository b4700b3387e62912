//! The cost of building with a framework: crates, size and time.

mod clean;
mod contents;
mod many;
mod new_project;
mod package;
mod stopwatch;

use anyhow::Result;

use crate::contender::{Contender, OURS, RMCP, TOWER_VALIDATE, TURBO};
use crate::folders::Folders;
use crate::record::Record;
pub(crate) use clean::NEW_PROFILE;
pub(crate) use contents::contents;
use package::Package;

/// How many tools the large crate has.
pub(crate) const TOOLS: usize = 200;

/// Builds `hello` from scratch in both profiles, tests a new project, and builds a crate of 200 tools repeatedly.
pub(crate) fn builds(folders: &Folders, contenders: &[Contender], rounds: usize) -> Result<Vec<Record>> {
    let among = |key: &str| contenders.iter().any(|contender| contender.key == key);
    let new_profile = folders.new_profile()?;
    let mut records = Vec::new();
    for key in [OURS, RMCP, TOWER_VALIDATE, TURBO] {
        if among(key) {
            records.push(clean::measure(&Package::hello(folders, key)?, None)?);
        }
    }
    for key in [OURS, RMCP] {
        if among(key) {
            records.push(clean::measure(&Package::hello(folders, key)?, Some(&new_profile))?);
        }
    }
    if among(OURS) {
        records.push(new_project::measure(folders)?);
    }
    let large = [OURS, RMCP].into_iter().filter(|key| among(key));
    let large: Vec<Package> = large.map(|key| Package::large(folders, key)).collect::<Result<_>>()?;
    records.extend(many::measure(&large, rounds)?);
    Ok(records)
}
