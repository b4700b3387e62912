//! A test double of the CLI, controlled line by line by the test.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use mcp_agent::{
    Agent, Connection, Ending, Input, Invocation, Output, Peer, Pending, ShutdownTimeouts, StartError, Transport,
};
use serde_json::{Value, json};
use tokio::sync::{Mutex, mpsc, oneshot, watch};
use tokio::time::timeout;

/// Long enough for a loaded machine. It is only reached by a test that fails.
const DEADLINE: Duration = Duration::from_secs(30);

/// The end of the connection that belongs to the CLI.
#[derive(Debug)]
pub(crate) struct Cli {
    from_host: mpsc::UnboundedReceiver<Vec<u8>>,
    to_host: Option<mpsc::UnboundedSender<Vec<u8>>>,
    pub(crate) ended_with: oneshot::Receiver<ShutdownTimeouts>,
    gone: watch::Sender<Option<Ending>>,
}

/// A transport that connects to one [`Cli`].
#[derive(Debug)]
struct Double(Arc<Mutex<Option<Connection>>>);

/// Creates an agent that connects to the returned CLI.
pub(crate) fn agent() -> (Agent, Cli) {
    let (to_cli, from_host) = mpsc::unbounded_channel();
    let (to_host, from_cli) = mpsc::unbounded_channel();
    let (order, ended_with) = oneshot::channel();
    let gone = watch::Sender::new(None);
    let peer = DoublePeer { order, gone: gone.subscribe() };
    let connection = Connection {
        input: Box::new(DoubleInput(Some(to_cli))),
        output: Box::new(DoubleOutput(from_cli)),
        peer: Box::new(peer),
    };
    let cli = Cli { from_host, to_host: Some(to_host), ended_with, gone };
    (Agent::new().transport(Double(Arc::new(Mutex::new(Some(connection))))), cli)
}

impl Cli {
    /// Returns the next frame from the host.
    pub(crate) async fn next(&mut self) -> Value {
        let line = timeout(DEADLINE, self.from_host.recv()).await.expect("in time").expect("a line");
        serde_json::from_slice(&line).expect("json")
    }

    /// Waits until the host closes the input.
    pub(crate) async fn closed(&mut self) {
        while timeout(DEADLINE, self.from_host.recv()).await.expect("in time").is_some() {}
    }

    /// Returns whether no frame from the host is waiting.
    pub(crate) fn is_quiet(&mut self) -> bool {
        self.from_host.try_recv().is_err()
    }

    pub(crate) fn say(&self, frame: Value) {
        self.write(&frame.to_string());
    }

    pub(crate) fn write(&self, line: &str) {
        let _ = self.to_host.as_ref().expect("alive").send(line.as_bytes().to_vec());
    }

    /// Answers `initialize` and returns the request.
    pub(crate) async fn welcome(&mut self) -> Value {
        let first = self.next().await;
        assert_eq!(first["request"]["subtype"], "initialize");
        self.answer(&first, json!({"claude_code_version": "2.1.325"}));
        first
    }

    pub(crate) fn answer(&self, request: &Value, payload: Value) {
        let response = json!({"subtype": "success", "request_id": request["request_id"], "response": payload});
        self.say(json!({"type": "control_response", "response": response}));
    }

    pub(crate) fn ask(&self, id: &str, request: Value) {
        self.say(json!({"type": "control_request", "request_id": id, "request": request}));
    }

    pub(crate) fn state(&self, state: &str) {
        self.say(json!({"type": "system", "subtype": "session_state_changed", "state": state}));
    }

    pub(crate) fn prompt_is(&self, uuid: &Value, state: &str) {
        self.say(json!({"type": "command_lifecycle", "command_uuid": uuid, "state": state}));
    }

    /// Closes the output and exits.
    pub(crate) fn die(&mut self, ending: Ending) {
        self.to_host = None;
        self.gone.send_replace(Some(ending));
    }
}

impl Transport for Double {
    fn connect(&self, _: Invocation) -> Pending<'_, Result<Connection, StartError>> {
        Box::pin(async { self.0.lock().await.take().ok_or_else(|| StartError::Transport("used twice".into())) })
    }
}

struct DoubleInput(Option<mpsc::UnboundedSender<Vec<u8>>>);

impl Input for DoubleInput {
    fn send<'a>(&'a mut self, line: &'a [u8]) -> Pending<'a, io::Result<()>> {
        let sent = self.0.as_ref().is_some_and(|to_cli| to_cli.send(line.to_vec()).is_ok());
        Box::pin(std::future::ready(if sent { Ok(()) } else { Err(io::ErrorKind::BrokenPipe.into()) }))
    }

    fn close(&mut self) -> Pending<'_, io::Result<()>> {
        self.0 = None;
        Box::pin(std::future::ready(Ok(())))
    }
}

struct DoubleOutput(mpsc::UnboundedReceiver<Vec<u8>>);

impl Output for DoubleOutput {
    fn receive(&mut self) -> Pending<'_, io::Result<Option<Vec<u8>>>> {
        Box::pin(async { Ok(self.0.recv().await) })
    }
}

struct DoublePeer {
    order: oneshot::Sender<ShutdownTimeouts>,
    gone: watch::Receiver<Option<Ending>>,
}

impl Peer for DoublePeer {
    fn end(self: Box<Self>, timeouts: ShutdownTimeouts) -> Pending<'static, Ending> {
        let Self { order, mut gone } = *self;
        let _ = order.send(timeouts);
        Box::pin(
            async move { gone.wait_for(Option::is_some).await.ok().and_then(|ending| ending.clone()).unwrap_or_default() },
        )
    }
}
