//! Where a new project gets the framework from.

use std::fs;
use std::path::{Path, PathBuf};

use crate::Failure;

/// A folder or a git repository with the crates. They are not published on crates.io yet.
#[derive(Debug)]
pub(super) enum Source {
    Folder(PathBuf),
    Git(String),
}

impl Source {
    /// The folder that this program was built from. Returns an error if it no longer exists.
    pub(super) fn built_from() -> Result<Source, Failure> {
        let ours = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap_or(Path::new("."));
        Source::folder(ours).map_err(|_| {
            Failure::usage(
                "the framework was not found: use --git URL or --path FOLDER, since the crates are not on crates.io yet",
            )
        })
    }

    /// Returns a folder after checking that it contains the crates.
    pub(super) fn folder(path: &Path) -> Result<Source, Failure> {
        let folder = fs::canonicalize(path).map_err(|error| Failure::new(format!("{}: {error}", path.display())))?;
        match folder.join("mcp-core/Cargo.toml").exists() {
            true => Ok(Source::Folder(folder)),
            false => Err(Failure::new(format!("{} does not contain mcp-core", folder.display()))),
        }
    }

    /// Returns the value of a dependency in `Cargo.toml`.
    pub(super) fn dependency(&self, package: &str) -> String {
        match self {
            // For the characters of paths, string escapes of Rust are valid in TOML.
            Source::Folder(folder) => format!("{{ path = {:?} }}", crate_folder(folder, package)),
            Source::Git(url) => format!("{{ git = {url:?} }}"),
        }
    }
}

/// Returns the folder of a crate: beside `mcp-core`, or under `crates/`.
fn crate_folder(framework: &Path, package: &str) -> PathBuf {
    let beside = framework.join(package);
    if beside.exists() { beside } else { framework.join("crates").join(package) }
}
