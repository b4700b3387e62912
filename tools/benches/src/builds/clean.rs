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

/// The number in records of the release profile of `cargo mcp new`. Zero is the default profile.
pub(crate) const NEW_PROFILE: u64 = 1;

/// Builds it once without any cached output, with the default release profile or with the one in a file. Takes minutes.
pub(super) fn measure(hello: &Package, profile: Option<&str>) -> Result<Record> {
    say(format_args!("builds: hello with {}, from scratch", hello.key));
    // Downloads do not count.
    let mut fetch = cargo("fetch");
    fetch.arg("--quiet").arg("--manifest-path").arg(hello.folder.join("Cargo.toml"));
    finish(fetch)?;
    if hello.target.exists() {
        fs::remove_dir_all(&hello.target)?;
    }
    let mut build = hello.cargo("build");
    build.args(["--quiet", "--offline", "--release", "--example", "hello"]);
    build.args(["--config", profile.unwrap_or("profile.release.strip='symbols'")]);
    let took = time(build)?;
    let binary = fs::metadata(hello.target.join("release/examples/hello")).context("hello is built")?;
    let metrics = BTreeMap::from([
        (Metric::Binary, binary.len() as f64),
        // Without the package itself.
        (Metric::Crates, crates(hello, &[])?.len().saturating_sub(1) as f64),
        (Metric::CleanBuild, took.wall),
        (Metric::CleanBuildCpu, took.cpu),
    ]);
    let at = if profile.is_some() { NEW_PROFILE } else { 0 };
    Ok(Record { server: hello.key.to_owned(), at, metrics, ..Record::default() })
}

/// The crates that a package is built from.
pub(super) fn crates(package: &Package, options: &[&str]) -> Result<BTreeSet<String>> {
    let mut tree = package.cargo("tree");
    tree.args(["--offline", "--edges", "normal,build", "--prefix", "none"]).args(options);
    Ok(finish(tree)?.lines().map(|line| line.trim_end_matches(" (*)").to_owned()).collect())
}
