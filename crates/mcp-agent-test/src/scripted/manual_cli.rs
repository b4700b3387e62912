//! A CLI that the test plays itself.

use std::fmt;
use std::sync::{Arc, Mutex};

use mcp_agent::{Connection, Ending, Invocation, Patience, Peer, Pending, StartError, Transport};
use tokio::sync::mpsc;

use super::connection::{ScriptInput, ScriptOutput, lock, status};
use super::interpreter::End;

/// A CLI that the test plays itself, line by line.
///
/// For what a [`Script`](crate::Script) cannot say beforehand: answers that depend on what was heard, or lines that must
/// stay as they are to the byte. Dropping it is the end of the CLI.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use mcp_agent::Agent;
/// use mcp_agent_test::ManualCli;
///
/// let (transport, mut cli) = ManualCli::new();
/// let opening = tokio::spawn(Agent::new().transport(transport).open());
/// let request: serde_json::Value = serde_json::from_slice(&cli.next_line().await.unwrap())?;
/// assert_eq!(request["request"]["subtype"], "initialize");
/// let id = &request["request_id"];
/// cli.send_line(format!(r#"{{"type":"control_response","response":{{"subtype":"success","request_id":{id}}}}}"#));
/// let session = opening.await??;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct ManualCli {
    output: mpsc::UnboundedSender<Vec<u8>>,
    lines: mpsc::Receiver<Vec<u8>>,
}

impl ManualCli {
    /// A transport for one session, and the CLI at its other end.
    #[must_use]
    pub fn new() -> (impl Transport + 'static, Self) {
        let (input, lines) = mpsc::channel(1);
        let (output, chunks) = mpsc::unbounded_channel();
        let connection = Connection {
            input: Box::new(ScriptInput::new(input)),
            output: Box::new(ScriptOutput::new(chunks)),
            peer: Box::new(ManualPeer),
        };
        (OneConnection(Arc::new(Mutex::new(Some(connection)))), Self { output, lines })
    }

    /// Says a line, without a newline at its end.
    pub fn send_line(&self, line: impl Into<Vec<u8>>) {
        let mut line = line.into();
        line.push(b'\n');
        // Nobody may listen any more, which is no concern of a CLI that goes on talking.
        let _ = self.output.send(line);
    }

    /// The next line that it is told, or none when its input is closed.
    pub async fn next_line(&mut self) -> Option<Vec<u8>> {
        self.lines.recv().await
    }
}

/// A transport that connects once.
struct OneConnection(Arc<Mutex<Option<Connection>>>);

impl Transport for OneConnection {
    fn connect(&self, _: Invocation) -> Pending<'_, Result<Connection, StartError>> {
        let connection = lock(&self.0).take();
        let used = || StartError::Transport("a played CLI is for one session".into());
        Box::pin(std::future::ready(connection.ok_or_else(used)))
    }
}

impl fmt::Debug for OneConnection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ManualCli")
    }
}

struct ManualPeer;

impl Peer for ManualPeer {
    fn end(self: Box<Self>, _: Patience) -> Pending<'static, Ending> {
        Box::pin(std::future::ready(Ending::new(status(End::Exit(0)), "")))
    }
}
