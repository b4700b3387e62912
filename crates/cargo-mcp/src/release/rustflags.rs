//! Passes flags to the compiler, in addition to those of the user.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use toml_edit::{DocumentMut, Item};

use super::project::Project;

/// Adds flags. Cargo takes them from the first of four places that has some (`CARGO_ENCODED_RUSTFLAGS`, `RUSTFLAGS`,
/// `target.*.rustflags`, `build.rustflags`), so they go to the place that the user uses.
pub(super) fn add(cargo: &mut Command, project: &Project, target: &str, flags: Vec<String>) {
    /// Separates flags in the variable.
    const SEPARATOR: &str = "\u{1f}";
    let given = |name: &str| env::var(name).ok();
    let users = match (given("CARGO_ENCODED_RUSTFLAGS"), given("RUSTFLAGS")) {
        (Some(encoded), _) => encoded.split(SEPARATOR).map(str::to_owned).collect::<Vec<_>>(),
        (None, Some(flags)) => flags.split_whitespace().map(str::to_owned).collect(),
        (None, None) => {
            // Cargo joins this list and those of its configuration files.
            let table = if sets_flags_of_targets(&project.folder) { format!("target.{target}") } else { "build".to_owned() };
            let list: toml_edit::Array = flags.into_iter().collect();
            cargo.arg("--config").arg(format!("{table}.rustflags={list}"));
            return;
        }
    };
    let all: Vec<String> = users.into_iter().filter(|flag| !flag.is_empty()).chain(flags).collect();
    cargo.env("CARGO_ENCODED_RUSTFLAGS", all.join(SEPARATOR));
}

/// Whether the user's configuration of cargo sets flags for a target or for a `cfg(..)`.
fn sets_flags_of_targets(project: &Path) -> bool {
    let is_set =
        |name: &OsStr| name.to_str().is_some_and(|name| name.starts_with("CARGO_TARGET_") && name.ends_with("_RUSTFLAGS"));
    let sets = |item: &Item| {
        let targets = item.get("target").and_then(Item::as_table_like);
        targets.is_some_and(|targets| targets.iter().any(|(_, target)| target.get("rustflags").is_some()))
    };
    env::vars_os().any(|(name, _)| is_set(&name))
        || configuration_files(project)
            .iter()
            .filter_map(|file| std::fs::read_to_string(file).ok()?.parse::<DocumentMut>().ok())
            .any(|file| sets(file.as_item()))
}

/// Returns the places in which cargo looks for its configuration.
fn configuration_files(project: &Path) -> Vec<PathBuf> {
    let home = env::home_dir().map(|home| home.join(".cargo"));
    let home = env::var_os("CARGO_HOME").map(PathBuf::from).or(home);
    let folders = project.ancestors().map(|folder| folder.join(".cargo")).chain(home);
    folders.flat_map(|folder| ["config.toml", "config"].map(|name| folder.join(name))).collect()
}
