//! The cost of building with a framework: crates, size and time.

mod clean;
mod many;
mod package;
mod stopwatch;

use anyhow::Result;

use crate::contender::{Contender, OURS, RMCP, TOWER_VALIDATE, TURBO};
use crate::folders::Folders;
use crate::record::Record;
use package::Package;

/// How many tools the large crate has.
pub(crate) const TOOLS: usize = 200;

/// Builds `hello` from scratch, and a crate of 200 tools repeatedly, with this project and its peers.
pub(crate) fn builds(folders: &Folders, contenders: &[Contender]) -> Result<Vec<Record>> {
    let among = |key: &str| contenders.iter().any(|contender| contender.key == key);
    let mut records = Vec::new();
    for key in [OURS, RMCP, TOWER_VALIDATE, TURBO] {
        if among(key) {
            records.push(clean::measure(&Package::hello(folders, key)?)?);
        }
    }
    let large = [OURS, RMCP].into_iter().filter(|key| among(key));
    let large: Vec<Package> = large.map(|key| Package::large(folders, key)).collect::<Result<_>>()?;
    records.extend(many::measure(&large)?);
    Ok(records)
}
