//! A scripted CLI in the test's own process.

use std::io;
use std::sync::{Arc, Mutex};

use mcp_agent::{Connection, Invocation, Pending, StartError, Transport};
use serde_json::Value;
use tokio::sync::mpsc;

use super::connection::{Chunks, Lines, Player, Vitals, lock};
use super::play::{Stage, play};
use super::script::Script;

/// A scripted CLI that needs no process: a [`Transport`] that plays a [`Script`].
///
/// For tests of what an agent does with a CLI: its handlers, its prompts, its errors. Clones are the same CLI, so keep one
/// to ask what it [`heard`](Self::heard). Each connection plays the script from its start. Signals are played too: a script
/// that [hangs](Script::hang) ends as a process would when patience runs out.
///
/// ```
/// use mcp_agent::{Agent, Decision};
/// use mcp_agent_test::{Script, ScriptedCli};
/// use serde_json::json;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), mcp_agent::Error> {
/// let question = json!({"subtype": "can_use_tool", "tool_name": "Bash", "input": {"command": "rm -r /"}, "tool_use_id": "t"});
/// let script = Script::new().initialize().prompt().ask("may I", question).answered("may I").result("a pity");
/// let cli = ScriptedCli::new(script);
///
/// let agent = Agent::new().transport(cli.clone()).permission(|_| async { Decision::deny("certainly not") });
/// let result = agent.query("Tidy up.").result().await?;
///
/// assert_eq!(result.result.as_deref(), Some("a pity"));
/// let answer = &cli.heard()[2]["response"];
/// assert_eq!(answer["response"], json!({"behavior": "deny", "message": "certainly not"}));
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
    heard: Vec<Value>,
    invocations: Vec<Invocation>,
}

impl ScriptedCli {
    /// A CLI that plays `script`.
    #[must_use]
    pub fn new(script: Script) -> Self {
        Self { script: Arc::new(script), state: Arc::default() }
    }

    /// Every line it was sent so far: JSON, or a string where a line was not JSON.
    #[must_use]
    pub fn heard(&self) -> Vec<Value> {
        lock(&self.state).heard.clone()
    }

    /// How it was started, once for each connection.
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
        let vitals = Arc::<Mutex<Vitals>>::default();
        let mut stage = Task { stdout, state: Arc::clone(&self.state), vitals: Arc::clone(&vitals) };
        let task = tokio::spawn(async move { play(&script, lines, &mut stage).await });
        let connection = Connection {
            input: Box::new(Lines::new(input)),
            output: Box::new(Chunks::new(output)),
            peer: Box::new(Player { task, vitals }),
        };
        Box::pin(std::future::ready(Ok(connection)))
    }
}

/// A script that plays as a task.
struct Task {
    stdout: mpsc::UnboundedSender<Vec<u8>>,
    state: Arc<Mutex<State>>,
    vitals: Arc<Mutex<Vitals>>,
}

impl Stage for Task {
    fn heard(&mut self, frame: &Value) -> io::Result<()> {
        lock(&self.state).heard.push(frame.clone());
        Ok(())
    }

    fn stdout(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stdout.send(bytes.to_vec()).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }

    fn stderr(&mut self, bytes: &[u8]) -> io::Result<()> {
        lock(&self.vitals).stderr.push_str(&String::from_utf8_lossy(bytes));
        Ok(())
    }

    fn ignore_term(&mut self) -> io::Result<()> {
        lock(&self.vitals).ignores_term = true;
        Ok(())
    }

    fn grandchild(&mut self) -> io::Result<()> {
        self.stderr(b"scripted CLI: a grandchild needs a process\n")?;
        Err(io::ErrorKind::Unsupported.into())
    }
}
