//! Keeps the paths of this machine out of a program, so that the same commit gives the same bytes elsewhere.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;

use super::build::Compiler;
use super::project::Project;
use crate::Failure;

/// The folders that source code is compiled from, each with the name that the program contains instead of the path.
#[derive(Debug)]
pub(super) struct Folders(Vec<(PathBuf, String)>);

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    version: String,
    /// Absent for a package in a folder of this machine.
    source: Option<String>,
    manifest_path: PathBuf,
}

impl Folders {
    pub(super) fn of(project: &Project, compiler: &Compiler, target: &str) -> Result<Folders, Failure> {
        let home = std::env::home_dir();
        let cargo_home = std::env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| Some(home?.join(".cargo")));
        let mut folders = path_dependencies(project, target)?;
        folders.push((project.folder.clone(), "/source".to_owned()));
        // Build scripts write code into it.
        folders.push((project.target_folder.clone(), "/target".to_owned()));
        folders.extend(cargo_home.map(|folder| (folder, "/cargo".to_owned())));
        // The source code of the standard library, if it is installed. The name is the one without it.
        folders.push((compiler.sysroot.join("lib/rustlib/src/rust"), format!("/rustc/{}", compiler.commit)));
        // The compiler takes the last one that matches: it must be the innermost folder.
        folders.sort_by_key(|(folder, _)| folder.as_os_str().len());
        Ok(Folders(folders))
    }

    /// Returns the flags for the compiler.
    pub(super) fn flags(&self) -> Vec<String> {
        self.0.iter().map(|(folder, name)| format!("--remap-path-prefix={}={name}", folder.display())).collect()
    }

    /// Returns a folder whose path a program contains all the same.
    pub(super) fn named_in(&self, program: &Path) -> Option<PathBuf> {
        let bytes = std::fs::read(program).ok()?;
        let has = |folder: &Path| {
            let path = folder.as_os_str().as_encoded_bytes();
            path.len() > 1 && bytes.windows(path.len()).any(|window| window == path)
        };
        self.0.iter().map(|(folder, _)| folder).find(|folder| has(folder)).cloned()
    }
}

/// Returns the folders of the packages that the project takes by their path.
fn path_dependencies(project: &Project, target: &str) -> Result<Vec<(PathBuf, String)>, Failure> {
    let mut cargo = Command::new(crate::cargo());
    cargo.args(["metadata", "--locked", "--format-version=1", "--filter-platform", target]);
    let output = cargo.current_dir(&project.folder).output();
    let output = output.map_err(|error| Failure::new(format!("cannot run cargo: {error}")))?;
    if !output.status.success() {
        return Err(Failure::new(String::from_utf8_lossy(&output.stderr).trim().to_owned()));
    }
    let metadata: Metadata = serde_json::from_slice(&output.stdout)
        .map_err(|error| Failure::new(format!("the output of cargo metadata cannot be read: {error}")))?;
    let outside = metadata.packages.into_iter().filter_map(|package| {
        let folder = package.manifest_path.parent()?.to_owned();
        let is_outside = package.source.is_none() && !folder.starts_with(&project.folder);
        is_outside.then(|| (folder, format!("/dependencies/{}-{}", package.name, package.version)))
    });
    Ok(outside.collect())
}
