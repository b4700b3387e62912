//! The real CLI, at one pinned version.

use std::env;
use std::error::Error as StdError;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The real Claude Code CLI, pinned and installed under `target/` on first use.
///
/// Found or installed with `npm ci` from the lock file of this crate, so every machine tests against the same bytes. The
/// first use needs npm and its registry; after that nothing is fetched. Test processes that start at the same time wait
/// for one another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cli {
    path: PathBuf,
}

impl Cli {
    /// The version that is installed.
    pub const VERSION: &'static str = "2.1.325";

    /// Finds the CLI under `target/tools`, or installs it there.
    ///
    /// # Errors
    /// When there is no npm ([`CliError::NoNpm`]), when npm fails, or when the platform has no build of the CLI.
    pub fn pinned() -> Result<Self, CliError> {
        Self::pinned_in(&tools()?, install)
    }

    /// The CLI for a test that cannot run without it, or none, and then the test should return.
    ///
    /// What is missing is said on standard error. On a build server (`CI=true`) nobody reads that, so there a missing CLI
    /// fails the test.
    ///
    /// # Panics
    /// When the CLI is unavailable and `CI=true`.
    #[must_use]
    pub fn or_skip() -> Option<Self> {
        match Self::pinned() {
            Ok(cli) => Some(cli),
            Err(error) if env::var_os("CI").is_some_and(|ci| ci == "true") => {
                panic!("the real CLI is needed with CI=true: {}", Chain(&error))
            }
            Err(error) => {
                let _ = writeln!(io::stderr(), "SKIPPED: no real CLI: {}", Chain(&error));
                None
            }
        }
    }

    /// The program.
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
        // One process installs, the others wait here and then find what it installed.
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
        // Only a complete folder ever has the final name, also when this process is killed halfway.
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
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    // The install script only links the program into the outer package, and the program is used where it is.
    let arguments = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    let output = Command::new(npm).args(arguments).current_dir(folder).stdin(Stdio::null()).output();
    match output {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => Err(CliError::Npm(String::from_utf8_lossy(&output.stderr).trim().to_owned())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(CliError::NoNpm),
        Err(error) => Err(error.into()),
    }
}

/// `target/tools` of the build that this program belongs to.
fn tools() -> Result<PathBuf, CliError> {
    let program = env::current_exe()?;
    // Cargo marks the folder it builds in, whatever it is called.
    let target = program.ancestors().find(|folder| folder.join("CACHEDIR.TAG").is_file());
    target.map(|target| target.join("tools")).ok_or(CliError::NoTarget)
}

/// Why there is no CLI to test with.
#[derive(Debug)]
#[non_exhaustive]
pub enum CliError {
    /// npm is not installed.
    NoNpm,
    /// npm failed, and said this.
    Npm(String),
    /// The CLI is not built for this platform.
    NoBuild,
    /// The program does not run from a build folder of cargo, so there is no place to install to.
    NoTarget,
    /// The installation could not be written.
    Io(io::Error),
}

impl fmt::Display for CliError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoNpm => f.write_str("npm is not installed"),
            Self::Npm(said) => write!(f, "npm failed: {said}"),
            Self::NoBuild => f.write_str("the CLI is not built for this platform"),
            Self::NoTarget => f.write_str("this program does not run from a build folder of cargo"),
            Self::Io(_) => f.write_str("the CLI could not be installed"),
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

/// An error with its sources, on one line.
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
    fn those_who_come_at_once_install_once() {
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
    fn an_installation_that_failed_halfway_is_done_again() {
        let tools = tempfile::tempdir().unwrap();
        let halfway = |folder: &Path| {
            pretend(folder)?;
            Err(CliError::Npm("no network".into()))
        };
        let failed = Cli::pinned_in(tools.path(), halfway);
        assert!(matches!(failed, Err(CliError::Npm(said)) if said == "no network"));
        assert!(Cli::pinned_in(tools.path(), pretend).is_ok());
    }

    #[test]
    fn a_platform_without_a_build_is_said_to_have_none() {
        let tools = tempfile::tempdir().unwrap();
        let empty = Cli::pinned_in(tools.path(), |folder| Ok(fs::create_dir_all(folder)?));
        assert!(matches!(empty, Err(CliError::NoBuild)));
    }
}
