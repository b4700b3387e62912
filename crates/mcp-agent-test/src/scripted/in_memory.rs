//! A scripted CLI in memory.

use std::io;
use std::sync::{Arc, Mutex};

use mcp_agent::{Connection, Invocation, Pending, StartError, Transport};
use serde_json::Value;
use tokio::sync::mpsc;

use super::connection::{ProcessState, ScriptInput, ScriptOutput, ScriptTask, lock};
use super::interpreter::{ScriptIo, run_script};
use super::script::Script;

/// A scripted CLI in memory: a [`Transport`] that runs a [`Script`] without a process.
///
/// Use it to test the callbacks, prompts and errors of an agent. Clones share their state, so keep one to read what the CLI
/// has [`received`](Self::received). Each connection runs the script from its start. Signals are simulated: a script that
/// [hangs](Script::hang) is terminated when the time limits of the shutdown expire.
///
/// ```
/// use mcp_agent::{Agent, Decision};
/// use mcp_agent_test::{Script, ScriptedCli};
/// use serde_json::json;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), mcp_agent::Error> {
/// let request = json!({"subtype": "can_use_tool", "tool_name": "Bash", "input": {"command": "ls"}, "tool_use_id": "t"});
/// let script = Script::new().initialize().prompt().send_request("ask", request).expect_response("ask").result("done");
/// let cli = ScriptedCli::new(script);
///
/// let agent = Agent::new().transport(cli.clone()).permission(|_| async { Decision::deny("not allowed") });
/// let result = agent.query("Tidy up.").result().await?;
///
/// assert_eq!(result.result.as_deref(), Some("done"));
/// let answer = &cli.received()[2]["response"];
/// assert_eq!(answer["response"]["behavior"], "deny");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct ScriptedCli {
    script: Arc<Script>,
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    received: Vec<Value>,
    invocations: Vec<Invocation>,
}

impl ScriptedCli {
    /// Creates a CLI that runs `script`.
    #[must_use]
    pub fn new(script: Script) -> Self {
        Self { script: Arc::new(script), state: Arc::default() }
    }

    /// Returns all lines that the CLI has received. A line that is not JSON is returned as a string.
    #[must_use]
    pub fn received(&self) -> Vec<Value> {
        lock(&self.state).received.clone()
    }

    /// Returns the arguments and environment of each connection, in order.
    #[must_use]
    pub fn invocations(&self) -> Vec<Invocation> {
        lock(&self.state).invocations.clone()
    }
}

impl Transport for ScriptedCli {
    fn connect(&self, invocation: Invocation) -> Pending<'_, Result<Connection, StartError>> {
        lock(&self.state).invocations.push(invocation);
        let (input, lines) = mpsc::channel(1);
        let (stdout, output) = mpsc::unbounded_channel();
        let script = Arc::clone(&self.script);
        let process = Arc::<Mutex<ProcessState>>::default();
        let mut io = Task { stdout, state: Arc::clone(&self.state), process: Arc::clone(&process) };
        let task = tokio::spawn(async move { run_script(&script, lines, &mut io).await });
        let connection = Connection {
            input: Box::new(ScriptInput::new(input)),
            output: Box::new(ScriptOutput::new(output)),
            peer: Box::new(ScriptTask { task, process }),
        };
        Box::pin(std::future::ready(Ok(connection)))
    }
}

/// The effects of a script that runs as a task.
struct Task {
    stdout: mpsc::UnboundedSender<Vec<u8>>,
    state: Arc<Mutex<State>>,
    process: Arc<Mutex<ProcessState>>,
}

impl ScriptIo for Task {
    fn received(&mut self, frame: &Value) -> io::Result<()> {
        lock(&self.state).received.push(frame.clone());
        Ok(())
    }

    fn stdout(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stdout.send(bytes.to_vec()).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }

    fn stderr(&mut self, bytes: &[u8]) -> io::Result<()> {
        lock(&self.process).stderr.push_str(&String::from_utf8_lossy(bytes));
        Ok(())
    }

    fn ignore_term(&mut self) -> io::Result<()> {
        lock(&self.process).ignores_term = true;
        Ok(())
    }

    fn grandchild(&mut self) -> io::Result<()> {
        self.stderr(b"scripted CLI: `grandchild` needs a process: use ScriptedProgram\n")?;
        Err(io::ErrorKind::Unsupported.into())
    }
}
