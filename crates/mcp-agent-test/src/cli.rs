//! The real CLI at a pinned version.

use std::env;
use std::error::Error as StdError;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::sys;

/// The real Claude Code CLI at a pinned version, installed under `target/` on first use.
///
/// `npm ci` installs it from the lock file of this crate, so every machine tests the same version. The first use needs npm
/// and its registry; later uses need no network. If several test processes start at once, one installs the CLI and the
/// others wait.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cli {
    path: PathBuf,
}

impl Cli {
    /// The version of the Claude Code CLI that the tests use.
    pub const VERSION: &'static str = "2.1.327";

    /// Finds the CLI under `target/tools`, or installs it there.
    ///
    /// # Errors
    /// If npm is not installed ([`CliError::NoNpm`]), npm fails, or the CLI is not available for this platform.
    pub fn pinned() -> Result<Self, CliError> {
        Self::pinned_in(&tools()?, install)
    }

    /// Returns the CLI for a test that requires it, or `None` if it is unavailable. The test must then return.
    ///
    /// With `None`, a line on standard error says that the test is skipped and why. In CI (`CI=true`) an unavailable CLI
    /// fails the test instead.
    ///
    /// # Panics
    /// If the CLI is unavailable and `CI=true`.
    #[must_use]
    pub fn or_skip() -> Option<Self> {
        match Self::pinned() {
            Ok(cli) => Some(cli),
            Err(error) if env::var_os("CI").is_some_and(|ci| ci == "true") => {
                panic!("with CI=true the real CLI is required: {}", Chain(&error))
            }
            Err(error) => {
                let _ = writeln!(io::stderr(), "SKIPPED: the real CLI is unavailable: {}", Chain(&error));
                None
            }
        }
    }

    /// Returns the path of the program.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn pinned_in(tools: &Path, install: impl FnOnce(&Path) -> Result<(), CliError>) -> Result<Self, CliError> {
        let folder = tools.join(format!("claude-code-{}", Self::VERSION));
        if let Some(cli) = Self::in_folder(&folder) {
            return Ok(cli);
        }
        fs::create_dir_all(tools)?;
        // One process installs the CLI. The others wait here and then use it.
        let lock = File::create(folder.with_added_extension("lock"))?;
        lock.lock()?;
        if let Some(cli) = Self::in_folder(&folder) {
            return Ok(cli);
        }
        let partial = folder.with_added_extension("partial");
        install(&partial)?;
        if Self::in_folder(&partial).is_none() {
            return Err(CliError::NoBuild);
        }
        // Only a complete folder gets the final name, even if this process is killed during the installation.
        fs::rename(&partial, &folder)?;
        Self::in_folder(&folder).ok_or(CliError::NoBuild)
    }

    fn in_folder(folder: &Path) -> Option<Self> {
        let packages = folder.join("node_modules/@anthropic-ai");
        let entries = fs::read_dir(packages).ok()?;
        let programs = entries.flatten().flat_map(|entry| ["claude", "claude.exe"].map(|name| entry.path().join(name)));
        programs.into_iter().find(|program| program.is_file()).map(|path| Self { path })
    }
}

fn install(folder: &Path) -> Result<(), CliError> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder)?;
    fs::write(folder.join("package.json"), include_str!("../claude-code/package.json"))?;
    fs::write(folder.join("package-lock.json"), include_str!("../claude-code/package-lock.json"))?;
    // The install script is not needed: it only creates a link to the program, which is run directly here.
    let arguments = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    let output = Command::new(sys::NPM).args(arguments).current_dir(folder).stdin(Stdio::null()).output();
    match output {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => Err(CliError::Npm(String::from_utf8_lossy(&output.stderr).trim().to_owned())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(CliError::NoNpm),
        Err(error) => Err(error.into()),
    }
}

/// Returns `target/tools` in the cargo target folder that contains this program.
fn tools() -> Result<PathBuf, CliError> {
    let program = env::current_exe()?;
    // Cargo creates `CACHEDIR.TAG` in the target folder, which can have any name.
    let target = program.ancestors().find(|folder| folder.join("CACHEDIR.TAG").is_file());
    target.map(|target| target.join("tools")).ok_or(CliError::NoTarget)
}

/// Why the real CLI is unavailable.
#[derive(Debug)]
#[non_exhaustive]
pub enum CliError {
    /// npm is not installed.
    NoNpm,
    /// npm failed with this error output.
    Npm(String),
    /// The CLI is not available for this platform.
    NoBuild,
    /// The program is not inside a cargo target folder, so there is no place to install the CLI.
    NoTarget,
    /// Files of the installation could not be read or written.
    Io(io::Error),
}

impl fmt::Display for CliError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoNpm => f.write_str("npm is not installed: install Node.js with npm"),
            Self::Npm(message) => write!(f, "npm failed: {message}"),
            Self::NoBuild => f.write_str("the CLI is not available for this platform"),
            Self::NoTarget => f.write_str("this program is not inside a cargo target folder: run it with cargo"),
            Self::Io(_) => f.write_str("cannot install the CLI under target/tools"),
        }
    }
}

impl StdError for CliError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match self {
            Self::Io(source) => Some(source),
            _ => None,
        }
    }
}

impl From<io::Error> for CliError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Displays an error and its sources on one line.
struct Chain<'a>(&'a dyn StdError);

impl fmt::Display for Chain<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)?;
        let mut source = self.0.source();
        while let Some(error) = source {
            write!(f, ": {error}")?;
            source = error.source();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    fn pretend(folder: &Path) -> Result<(), CliError> {
        let package = folder.join("node_modules/@anthropic-ai/claude-code-any");
        fs::create_dir_all(&package)?;
        fs::write(package.join("claude"), "")?;
        Ok(())
    }

    #[test]
    fn concurrent_calls_install_the_cli_once() {
        let tools = tempfile::tempdir().unwrap();
        let installs = AtomicUsize::new(0);
        let install = |folder: &Path| {
            installs.fetch_add(1, Ordering::Relaxed);
            pretend(folder)
        };
        thread::scope(|scope| {
            let find = || Cli::pinned_in(&tools.path().join("tools"), install);
            let finders: Vec<_> = (0..8).map(|_| scope.spawn(find)).collect();
            for finder in finders {
                assert!(finder.join().unwrap().unwrap().path().is_file());
            }
        });
        assert_eq!(installs.into_inner(), 1);
    }

    #[test]
    fn a_failed_installation_is_repeated() {
        let tools = tempfile::tempdir().unwrap();
        let halfway = |folder: &Path| {
            pretend(folder)?;
            Err(CliError::Npm("no network".into()))
        };
        let failed = Cli::pinned_in(tools.path(), halfway);
        assert!(matches!(failed, Err(CliError::Npm(message)) if message == "no network"));
        assert!(Cli::pinned_in(tools.path(), pretend).is_ok());
    }

    #[test]
    fn a_platform_without_a_build_gives_the_error_no_build() {
        let tools = tempfile::tempdir().unwrap();
        let empty = Cli::pinned_in(tools.path(), |folder| Ok(fs::create_dir_all(folder)?));
        assert!(matches!(empty, Err(CliError::NoBuild)));
    }
}
