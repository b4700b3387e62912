//! Isolates a CLI from the settings, sessions and environment of the user.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use mcp_agent::Agent;
use tempfile::TempDir;

use crate::cli::Cli;
use crate::model::Model;

/// A new home, working folder and temporary folder for one CLI, and an environment that makes the CLI use them.
///
/// Start the CLI from an empty environment plus [`env`](Self::env). It then has no access to the user's key, settings and
/// sessions; the API key in the environment is fake. The folders are deleted when the sandbox is dropped. Shut the CLI down
/// before, for instance with [`Session::close`](mcp_agent::Session::close): a CLI that still runs could create files in the
/// deleted folders.
///
/// ```
/// use mcp_agent_test::{Model, Sandbox};
///
/// let model = Model::start()?;
/// let sandbox = Sandbox::new()?;
/// let mut command = std::process::Command::new("env");
/// sandbox.apply(&mut command, &model);
/// let variables = String::from_utf8(command.output()?.stdout).unwrap();
/// assert!(variables.contains(&model.base_url()));
/// assert!(!variables.contains("CARGO"));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Sandbox {
    root: TempDir,
}

impl Sandbox {
    /// Creates the folders.
    ///
    /// # Errors
    /// If the temporary folder of the system is not writable.
    pub fn new() -> io::Result<Self> {
        let root = tempfile::Builder::new().prefix("agent-test-").tempdir()?;
        for name in ["home", "work", "tmp"] {
            fs::create_dir(root.path().join(name))?;
        }
        Ok(Self { root })
    }

    /// Returns the home folder of the CLI, which contains its settings and sessions.
    #[must_use]
    pub fn home(&self) -> PathBuf {
        self.root.path().join("home")
    }

    /// Returns the working folder of the CLI.
    #[must_use]
    pub fn work(&self) -> PathBuf {
        self.root.path().join("work")
    }

    /// Returns the folder for temporary files.
    #[must_use]
    pub fn tmp(&self) -> PathBuf {
        self.root.path().join("tmp")
    }

    /// Returns the complete environment of a CLI that connects only to `model`.
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

    /// Sets the environment of a command to exactly [`env`](Self::env), and its working folder to [`work`](Self::work).
    pub fn apply<'a>(&self, command: &'a mut Command, model: &Model) -> &'a mut Command {
        command.env_clear().envs(self.env(model)).current_dir(self.work())
    }

    /// Makes an agent run the given CLI in this sandbox with `model`, and replaces the program and environment that it had.
    ///
    /// A test can so use the agent of a program as the program builds it:
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

    /// Writes a file in the working folder. Creates missing parent folders.
    ///
    /// # Errors
    /// If the file cannot be written.
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
    // Allows the CLI to run as root, which is usual for tests in containers.
    ("IS_SANDBOX", "1"),
    // Sends all MCP tools to the model, instead of a tool that searches them.
    ("ENABLE_TOOL_SEARCH", "false"),
];
