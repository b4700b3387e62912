//! A crate of 200 tools: the time to build it after an edit, and the time in its macros.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use anyhow::{Context, Result};

use super::package::Package;
use super::stopwatch::time;
use crate::folders::finish;
use crate::metric::Metric;
use crate::progress::say;
use crate::record::Record;

/// Edits a tool and builds, several times. Each time the compiler also reports the time in the macros.
pub(super) fn measure(packages: &[Package], rounds: usize) -> Result<Vec<Record>> {
    for package in packages {
        say(format_args!("builds: the dependencies of 200 tools with {}", package.key));
        build(package, "build")?;
        expand(package)?;
    }
    let mut records = Vec::new();
    for round in 0..rounds {
        say(format_args!("builds: 200 tools, round {} of {rounds}", round + 1));
        for package in packages {
            package.write(round + 1)?;
            let mut build = package.cargo("build");
            build.args(["--quiet", "--offline"]);
            let rebuild = time(build)?;
            let [expansion, check] = expand(package)?;
            let metrics = BTreeMap::from([
                (Metric::Rebuild, rebuild.wall),
                (Metric::RebuildCpu, rebuild.cpu),
                (Metric::Expansion, expansion),
                (Metric::Check, check),
            ]);
            records.push(Record { server: package.key.to_owned(), round, metrics, ..Record::default() });
        }
    }
    Ok(records)
}

fn build(package: &Package, subcommand: &str) -> Result<()> {
    let mut build = package.cargo(subcommand);
    build.arg("--quiet");
    finish(build).map(drop)
}

/// The time to expand the macros of the crate, and to check the whole crate, in nanoseconds.
fn expand(package: &Package) -> Result<[f64; 2]> {
    let log = package.target.join("passes");
    let mut check = package.cargo("check");
    check.args(["--quiet", "--offline"]).env("CARGO_INCREMENTAL", "0").env("RUSTC_WORKSPACE_WRAPPER", wrapper(package)?);
    check.env("PASSES", &log);
    // Cargo skips a crate that has not changed.
    let source = fs::File::open(package.folder.join("src/main.rs"))?;
    source.set_modified(std::time::SystemTime::now())?;
    finish(check)?;
    let log = fs::read_to_string(&log).context("the compiler has written its times")?;
    let pass = |name: &str| -> Result<f64> {
        let line = log.lines().find(|line| line.trim_end().ends_with(name)).with_context(|| format!("no {name}"))?;
        let (_, time) = line.split_once("time:").context("a time")?;
        Ok(time.split(';').next().unwrap_or_default().trim().parse::<f64>().context("a time")? * 1e9)
    };
    Ok([pass("macro_expand_crate")?, pass("total")?])
}

/// Cargo also queries the version of the compiler, which must work unchanged.
const TIMED: &str = r#"#!/bin/sh
case " $* " in
*" --crate-name many_"*) RUSTC_BOOTSTRAP=1 exec "$@" -Ztime-passes 2>"$PASSES" ;;
*) exec "$@" ;;
esac
"#;

/// A compiler wrapper that logs the time of each pass. Used only for the crate itself.
fn wrapper(package: &Package) -> Result<PathBuf> {
    let path = package.target.join("timed-rustc");
    fs::write(&path, TIMED)?;
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755))?;
    Ok(path)
}
