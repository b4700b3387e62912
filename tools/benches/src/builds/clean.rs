//! Builds `hello` from scratch.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use anyhow::{Context, Result};

use super::package::Package;
use super::stopwatch::time;
use crate::folders::{cargo, finish};
use crate::metric::Metric;
use crate::progress::say;
use crate::record::Record;

/// Builds it once without any cached output. Takes minutes.
pub(super) fn measure(hello: &Package) -> Result<Record> {
    say(format_args!("builds: hello with {}, from scratch", hello.key));
    // Downloads do not count.
    let mut fetch = cargo("fetch");
    fetch.arg("--quiet").arg("--manifest-path").arg(hello.folder.join("Cargo.toml"));
    finish(fetch)?;
    if hello.target.exists() {
        fs::remove_dir_all(&hello.target)?;
    }
    let mut build = hello.cargo("build");
    build.args(["--quiet", "--offline", "--release", "--example", "hello", "--config", "profile.release.strip='symbols'"]);
    let took = time(build)?;
    let binary = fs::metadata(hello.target.join("release/examples/hello")).context("hello is built")?;

    let mut tree = hello.cargo("tree");
    tree.args(["--offline", "--edges", "normal,build", "--prefix", "none"]);
    let tree = finish(tree)?;
    let crates: BTreeSet<&str> = tree.lines().map(|line| line.trim_end_matches(" (*)")).collect();
    let metrics = BTreeMap::from([
        (Metric::Binary, binary.len() as f64),
        // Without the package itself.
        (Metric::Crates, crates.len().saturating_sub(1) as f64),
        (Metric::CleanBuild, took.wall),
        (Metric::CleanBuildCpu, took.cpu),
    ]);
    Ok(Record { server: hello.key.to_owned(), metrics, ..Record::default() })
}
