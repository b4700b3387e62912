//! A scripted CLI as a process: the side of the test.

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;

use super::script::Script;
use crate::sys::place;

/// A scripted CLI as a process. Use it for what only a process can do: crash, flood its pipes, ignore signals, leave child
/// processes. For other tests, [`ScriptedCli`](crate::ScriptedCli) is simpler and faster.
///
/// The script is run by a program whose `main` calls [`scripted_cli`](crate::scripted_cli). [`path`](Self::path) is a
/// symbolic link to that program, on Windows a copy, with the script in a file beside it. The files are deleted when this value is dropped.
///
/// ```no_run
/// # fn main() -> std::io::Result<()> {
/// use mcp_agent_test::{Script, ScriptedProgram};
///
/// // In a test: `let program = env!("CARGO_BIN_EXE_scripted-cli");`
/// # let program = "scripted-cli";
/// let cli = ScriptedProgram::new(program, Script::new().stderr("out of memory\n").exit(3))?;
/// let status = std::process::Command::new(cli.path()).status()?;
/// assert_eq!(status.code(), Some(3));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct ScriptedProgram {
    folder: TempDir,
}

/// The arguments and environment that a scripted program recorded when it started.
#[derive(Clone, Debug, PartialEq, serde::Deserialize)]
#[non_exhaustive]
pub struct Started {
    /// The id of the process.
    pub pid: u32,
    /// The arguments of the process, without the name of the program.
    pub args: Vec<String>,
    /// The environment of the process.
    pub env: std::collections::BTreeMap<String, String>,
    /// The working folder of the process.
    pub cwd: Option<PathBuf>,
}

impl ScriptedProgram {
    /// Creates a CLI in which `program` runs `script`.
    ///
    /// # Errors
    /// If the temporary folder is not writable.
    pub fn new(program: impl AsRef<Path>, script: Script) -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix("scripted-cli-").tempdir()?;
        let cli = Self { folder };
        let script = serde_json::to_vec(&script)?;
        fs::write(cli.path().with_added_extension("json"), script)?;
        place(&std::path::absolute(program)?, &cli.path())?;
        Ok(cli)
    }

    /// Returns the path of the program to start.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        self.folder.path().join("claude").with_extension(env::consts::EXE_EXTENSION)
    }

    /// Returns one entry for each start of the program so far.
    #[must_use]
    pub fn started(&self) -> Vec<Started> {
        let starts = self.log_entries("started").into_iter();
        starts.filter_map(|started| serde_json::from_value(started).ok()).collect()
    }

    /// Returns all lines that the program has read. A line that is not JSON is returned as a string.
    #[must_use]
    pub fn received(&self) -> Vec<Value> {
        self.log_entries("received")
    }

    /// Returns the process ids of the processes that the script has started with [`grandchild`](Script::grandchild).
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
