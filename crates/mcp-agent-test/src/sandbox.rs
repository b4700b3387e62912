//! A place where a CLI finds nothing of the caller's.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use mcp_agent::Agent;
use tempfile::TempDir;

use crate::cli::Cli;
use crate::model::Model;

/// A fresh home, work folder and temporary folder for one CLI, and the environment that keeps it there.
///
/// The environment is complete: start the CLI from an empty one plus [`env`](Self::env) and nothing of the caller's reaches
/// it, neither a key nor a setting nor a history. The key in it is not one. All folders go away when the sandbox is dropped.
/// End the CLI first, for instance by [`Session::close`](mcp_agent::Session::close): one that still runs would write into a
/// home that nobody removes.
///
/// ```
/// use mcp_agent_test::{Model, Sandbox};
///
/// let model = Model::start()?;
/// let sandbox = Sandbox::new()?;
/// let mut command = std::process::Command::new("env");
/// sandbox.apply(&mut command, &model);
/// let said = String::from_utf8(command.output()?.stdout).unwrap();
/// assert!(said.contains(&model.base_url()));
/// assert!(!said.contains("CARGO"));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Sandbox {
    root: TempDir,
}

impl Sandbox {
    /// Makes the folders.
    ///
    /// # Errors
    /// When the system's temporary folder cannot be written.
    pub fn new() -> io::Result<Self> {
        let root = tempfile::Builder::new().prefix("agent-test-").tempdir()?;
        for name in ["home", "work", "tmp"] {
            fs::create_dir(root.path().join(name))?;
        }
        Ok(Self { root })
    }

    /// The home of the CLI, where it keeps its settings and sessions.
    #[must_use]
    pub fn home(&self) -> PathBuf {
        self.root.path().join("home")
    }

    /// The folder in which the CLI works.
    #[must_use]
    pub fn work(&self) -> PathBuf {
        self.root.path().join("work")
    }

    /// The folder for temporary files.
    #[must_use]
    pub fn tmp(&self) -> PathBuf {
        self.root.path().join("tmp")
    }

    /// The whole environment of a CLI that talks to `model` and to nobody else.
    #[must_use]
    pub fn env(&self, model: &Model) -> Vec<(String, String)> {
        let text = |path: &Path| path.to_string_lossy().into_owned();
        let own = [
            ("HOME", text(&self.home())),
            ("TMPDIR", text(&self.tmp())),
            ("CLAUDE_CODE_TMPDIR", text(&self.tmp())),
            ("ANTHROPIC_BASE_URL", model.base_url()),
        ];
        let fixed = FIXED.iter().map(|(name, value)| (*name, (*value).to_owned()));
        own.into_iter().chain(fixed).map(|(name, value)| (name.to_owned(), value)).collect()
    }

    /// Gives a command this environment, and no other, and the work folder.
    pub fn apply<'a>(&self, command: &'a mut Command, model: &Model) -> &'a mut Command {
        command.env_clear().envs(self.env(model)).current_dir(self.work())
    }

    /// Makes an agent run the real CLI here, against `model`, whatever it would run otherwise.
    ///
    /// So the agent of a program is tested as the program builds it:
    ///
    /// ```no_run
    /// # async fn test() -> Result<(), Box<dyn std::error::Error>> {
    /// use mcp_agent::Agent;
    /// use mcp_agent_test::{Cli, Model, Sandbox, Turn, prompt};
    ///
    /// fn my_agent() -> Agent {
    ///     Agent::new().system_prompt("You are terse.")
    /// }
    ///
    /// let (model, sandbox) = (Model::start()?, Sandbox::new()?);
    /// let agent = sandbox.confine(my_agent(), &Cli::pinned()?, &model);
    /// let result = agent.query(prompt("Say hello.", [Turn::text("hello")])).result().await?;
    /// assert_eq!(result.result.as_deref(), Some("hello"));
    /// assert!(model.requests()[0].system().contains("You are terse."));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn confine(&self, agent: Agent, cli: &Cli, model: &Model) -> Agent {
        let agent = agent.program(cli.path()).cwd(self.work()).env_clear();
        let variables = self.env(model).into_iter();
        variables.fold(agent, |agent, (name, value)| agent.env(name, value))
    }

    /// Writes a file into the work folder, with the folders on the way to it.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn file(&self, name: impl AsRef<OsStr>, content: impl AsRef<[u8]>) -> io::Result<PathBuf> {
        let path = self.work().join(Path::new(name.as_ref()));
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(&path, content)?;
        Ok(path)
    }
}

const FIXED: &[(&str, &str)] = &[
    ("PATH", "/usr/bin:/bin:/usr/local/bin"),
    ("TERM", "dumb"),
    ("LANG", "C.UTF-8"),
    ("ANTHROPIC_API_KEY", "fake-key-for-tests"),
    ("DISABLE_TELEMETRY", "1"),
    ("DISABLE_AUTOUPDATER", "1"),
    ("DISABLE_ERROR_REPORTING", "1"),
    ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
    // Lets the CLI run as root, as tests in containers do.
    ("IS_SANDBOX", "1"),
    // Offers MCP tools to the model directly rather than behind a search tool.
    ("ENABLE_TOOL_SEARCH", "false"),
];
