//! `cargo mcp release --setup`: prepares a project for releases.

use std::fs;

use toml_edit::{DocumentMut, Item, Table, value};

use super::project::Project;
use super::{workflow, write};
use crate::{Failure, say};

/// The targets of a workflow, if the project names none.
pub(super) const TARGETS: [&str; 6] = [
    "x86_64-unknown-linux-musl",
    "aarch64-unknown-linux-musl",
    "aarch64-apple-darwin",
    "x86_64-apple-darwin",
    "x86_64-pc-windows-msvc",
    "aarch64-pc-windows-msvc",
];

/// Adds the metadata of `cargo-binstall` and of the release to `Cargo.toml`, and writes the workflow. What exists is not changed.
pub(super) fn run(project: &Project) -> Result<(), Failure> {
    let path = project.folder.join("Cargo.toml");
    let failed = |error: &dyn std::fmt::Display| Failure::new(format!("cannot edit {}: {error}", path.display()));
    let text = fs::read_to_string(&path).map_err(|error| failed(&error))?;
    let mut manifest: DocumentMut = text.parse().map_err(|error| failed(&error))?;
    let mut done = Vec::new();
    let metadata = table(&mut manifest["package"]["metadata"]);
    if metadata.get("mcp").is_none() {
        metadata.insert("mcp", Item::Table(config(project)));
        done.push("Cargo.toml: [package.metadata.mcp]");
    }
    if metadata.get("binstall").is_none() {
        metadata.insert("binstall", Item::Table(binstall()));
        done.push("Cargo.toml: [package.metadata.binstall]");
    }
    write(&path, &manifest.to_string())?;
    let workflow = project.folder.join(".github/workflows/release.yml");
    if !workflow.exists() {
        write(&workflow, &workflow::text(project))?;
        done.push(".github/workflows/release.yml");
    }
    let done = if done.is_empty() { "nothing was missing".to_owned() } else { format!("added {}", done.join(", ")) };
    let name = project.registry_name().unwrap_or_else(|| "NAME".to_owned());
    say(&format!("{done}\nThe registry looks for this text in the README of the crate: mcp-name: {name}\n"))
}

fn table(item: &mut Item) -> &mut Table {
    if !item.is_table() {
        let mut table = Table::new();
        table.set_implicit(true);
        *item = Item::Table(table);
    }
    item.as_table_mut().expect("it was made a table")
}

fn config(project: &Project) -> Table {
    let mut config = Table::new();
    config.insert(
        "name",
        value(project.registry_name().unwrap_or_else(|| "io.github.you/".to_owned() + &project.package.name)),
    );
    config.insert("targets", value(TARGETS.iter().copied().collect::<toml_edit::Array>()));
    config
}

/// `cargo binstall` downloads the bundle, which is a zip file.
fn binstall() -> Table {
    let mut binstall = Table::new();
    binstall.insert("pkg-url", value("{ repo }/releases/download/v{ version }/{ name }-{ version }-{ target }.mcpb"));
    binstall.insert("pkg-fmt", value("zip"));
    binstall.insert("bin-dir", value("server/{ bin }{ binary-ext }"));
    binstall
}
