//! The source of the framework crates for a new project.

use std::path::{Path, PathBuf};
use std::{fmt, fs};

use crate::Failure;

/// A folder or a git repository that contains the framework crates. They are not on crates.io yet.
#[derive(Debug)]
pub(super) enum Source {
    Folder(PathBuf),
    Git(String),
}

impl Source {
    /// Returns the folder that this program was built from, or an error if it no longer exists.
    pub(super) fn built_from() -> Result<Source, Failure> {
        let ours = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap_or(Path::new("."));
        Source::folder(ours).map_err(|_| {
            Failure::usage(
                "the framework crates are not where this program was built: name them with --git URL or --path FOLDER",
            )
        })
    }

    /// Returns a folder after checking that it contains the crates.
    pub(super) fn folder(path: &Path) -> Result<Source, Failure> {
        let folder =
            fs::canonicalize(path).map_err(|error| Failure::new(format!("cannot open {}: {error}", path.display())))?;
        match folder.join("mcp-core/Cargo.toml").exists() {
            true => Ok(Source::Folder(folder)),
            false => Err(Failure::new(format!(
                "{} does not contain mcp-core: pass the root folder of the framework's repository",
                folder.display()
            ))),
        }
    }

    /// Returns the value of a dependency in `Cargo.toml`.
    pub(super) fn dependency(&self, package: &str) -> String {
        match self {
            // Rust's string escapes are valid in TOML for all characters that occur in paths.
            Source::Folder(folder) => format!("{{ path = {:?} }}", crate_folder(folder, package)),
            Source::Git(url) => format!("{{ git = {url:?} }}"),
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::Folder(folder) => write!(f, "{}", folder.display()),
            Source::Git(url) => f.write_str(url),
        }
    }
}

/// Returns the folder of a crate: in the root of the framework, or in `crates/`.
fn crate_folder(framework: &Path, package: &str) -> PathBuf {
    let beside = framework.join(package);
    if beside.exists() { beside } else { framework.join("crates").join(package) }
}
