//! Where a new project gets the framework from.

use std::fs;
use std::path::{Path, PathBuf};

use crate::Failure;

/// A folder or a git repository with the crates in it: their names are not ours on crates.io as yet.
#[derive(Debug)]
pub(super) enum Source {
    Folder(PathBuf),
    Git(String),
}

impl Source {
    /// The folder that this very program was built from, if it is still there.
    pub(super) fn built_from() -> Result<Source, Failure> {
        let ours = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap_or(Path::new("."));
        Source::folder(ours).map_err(|_| {
            Failure::usage("where is the framework? say --git URL, or --path FOLDER: the crates are not on crates.io as yet")
        })
    }

    /// A folder, which must hold the crates.
    pub(super) fn folder(path: &Path) -> Result<Source, Failure> {
        let folder = fs::canonicalize(path).map_err(|error| Failure::new(format!("{}: {error}", path.display())))?;
        match folder.join("mcp-core/Cargo.toml").exists() {
            true => Ok(Source::Folder(folder)),
            false => Err(Failure::new(format!("there is no mcp-core in {}", folder.display()))),
        }
    }

    /// What stands behind the name of a crate in `Cargo.toml`.
    pub(super) fn dependency(&self, package: &str) -> String {
        match self {
            // The escapes of Rust are those of TOML for all that paths hold.
            Source::Folder(folder) => format!("{{ path = {:?} }}", crate_folder(folder, package)),
            Source::Git(url) => format!("{{ git = {url:?} }}"),
        }
    }
}

/// The folder of a crate: beside `mcp-core`, or under `crates/`.
fn crate_folder(framework: &Path, package: &str) -> PathBuf {
    let beside = framework.join(package);
    if beside.exists() { beside } else { framework.join("crates").join(package) }
}
