//! A scripted CLI as a program of its own: the test's side.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;

use super::script::Script;

/// A scripted CLI as a process, for what only a process can do: die, flood its pipes, ignore signals, leave children.
///
/// Where none of that matters, [`ScriptedCli`](crate::ScriptedCli) is lighter. The program that plays the script is one
/// whose `main` is [`scripted_cli`](crate::scripted_cli). Start the program at [`path`](Self::path): it is a link to it, by
/// whose name the program finds its script. The files go away when this value is dropped.
///
/// ```no_run
/// # fn main() -> std::io::Result<()> {
/// use mcp_agent_test::{Script, ScriptedProgram};
///
/// // In a test, by `env!("CARGO_BIN_EXE_scripted-cli")`.
/// # let program = "scripted-cli";
/// let cli = ScriptedProgram::new(program, Script::new().stderr("out of cheese\n").exit(3))?;
/// let status = std::process::Command::new(cli.path()).status()?;
/// assert_eq!(status.code(), Some(3));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct ScriptedProgram {
    folder: TempDir,
}

/// What a scripted program noted when it started.
#[derive(Clone, Debug, PartialEq, serde::Deserialize)]
#[non_exhaustive]
pub struct Started {
    /// Its process id.
    pub pid: u32,
    /// Its arguments, without its own name.
    pub args: Vec<String>,
    /// Its environment.
    pub env: std::collections::BTreeMap<String, String>,
    /// The folder it was started in.
    pub cwd: Option<PathBuf>,
}

impl ScriptedProgram {
    /// Makes `program` play `script`.
    ///
    /// # Errors
    /// When the temporary folder cannot be written, or the platform has no symbolic links.
    pub fn new(program: impl AsRef<Path>, script: Script) -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix("scripted-cli-").tempdir()?;
        let cli = Self { folder };
        let script = serde_json::to_vec(&script)?;
        fs::write(cli.path().with_added_extension("json"), script)?;
        // A link rather than a copy: a file that was just written cannot always be started ("text file busy").
        link(&std::path::absolute(program)?, &cli.path())?;
        Ok(cli)
    }

    /// The program to start.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        self.folder.path().join("claude")
    }

    /// How it was started, once for each start so far.
    #[must_use]
    pub fn started(&self) -> Vec<Started> {
        let starts = self.log_entries("started").into_iter();
        starts.filter_map(|started| serde_json::from_value(started).ok()).collect()
    }

    /// Every line it took in so far: JSON, or a string where a line was not JSON.
    #[must_use]
    pub fn received(&self) -> Vec<Value> {
        self.log_entries("received")
    }

    /// The process ids of its grandchildren.
    #[must_use]
    pub fn grandchildren(&self) -> Vec<u32> {
        self.log_entries("grandchild").iter().filter_map(|pid| pid.as_u64()?.try_into().ok()).collect()
    }

    fn log_entries(&self, kind: &str) -> Vec<Value> {
        let log = fs::read(self.path().with_added_extension("log")).unwrap_or_default();
        let lines = log.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice::<Value>(line).ok());
        lines.filter_map(|mut line| line.get_mut(kind).map(Value::take)).collect()
    }
}

#[cfg(unix)]
fn link(program: &Path, name: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(program, name)
}

#[cfg(not(unix))]
fn link(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
