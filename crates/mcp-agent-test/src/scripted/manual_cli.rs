//! A CLI that the test controls line by line.

use std::fmt;
use std::sync::{Arc, Mutex};

use mcp_agent::{Connection, Ending, Invocation, Peer, Pending, ShutdownTimeouts, StartError, Transport};
use tokio::sync::mpsc;

use super::connection::{ScriptInput, ScriptOutput, lock, status};
use super::interpreter::End;

/// A CLI that the test controls line by line.
///
/// Use it where a [`Script`](crate::Script) is not flexible enough: for responses that depend on earlier lines, or for lines
/// with exact bytes. Dropping it ends the connection.
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
    /// Creates a transport for one session, and the CLI at the other end of it.
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

    /// Sends a line to the session. `line` has no newline at its end.
    pub fn send_line(&self, line: impl Into<Vec<u8>>) {
        let mut line = line.into();
        line.push(b'\n');
        // Fails if the session has ended. A CLI can ignore this.
        let _ = self.output.send(line);
    }

    /// Returns the next line from the session, or `None` when the session has closed the input.
    pub async fn next_line(&mut self) -> Option<Vec<u8>> {
        self.lines.recv().await
    }
}

/// A transport that can connect once.
struct OneConnection(Arc<Mutex<Option<Connection>>>);

impl Transport for OneConnection {
    fn connect(&self, _: Invocation) -> Pending<'_, Result<Connection, StartError>> {
        let connection = lock(&self.0).take();
        let used = || StartError::Transport("a ManualCli is for one session: create another one".into());
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
    fn end(self: Box<Self>, _: ShutdownTimeouts) -> Pending<'static, Ending> {
        Box::pin(std::future::ready(Ending::new(status(End::Exit(0)), "")))
    }
}
