//! A client for tests: sends lines to a session and returns its responses.

use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::task::{Context as Task, Poll, Waker};
use std::time::{Duration, Instant, SystemTime};

use mcp_core::transport::{BoxFuture, Host, Job, Later, Message, Outbox, Outgoing, Reply, Session};
use mcp_core::{Builder, Context, IntoServer, Principal, Server, ToolResult, ToolSpec, tool_fn};
use serde_json::{Value, json};

use crate::official_schemas;

/// A host with a manual clock. Blocking jobs run at once on the calling thread.
#[derive(Default)]
pub(crate) struct TestHost {
    /// The futures that were passed to `spawn` and are not ready.
    spawned: Mutex<Vec<BoxFuture<()>>>,
    /// The time by which the test has advanced the clock.
    passed: Arc<Mutex<Duration>>,
}

impl TestHost {
    /// Polls all spawned futures. Returns the number of those that are still pending.
    fn poll(&self) -> usize {
        let mut work = std::mem::take(&mut *self.spawned.lock().unwrap());
        work.retain_mut(|work| work.as_mut().poll(&mut Task::from_waker(Waker::noop())).is_pending());
        let mut spawned = self.spawned.lock().unwrap();
        spawned.extend(work);
        spawned.len()
    }
}

impl Host for TestHost {
    fn now(&self) -> Instant {
        Instant::now()
    }

    fn sleep(&self, time: Duration) -> BoxFuture<()> {
        let passed = self.passed.clone();
        let due = *passed.lock().unwrap() + time;
        Box::pin(std::future::poll_fn(move |_| match *passed.lock().unwrap() >= due {
            true => Poll::Ready(()),
            false => Poll::Pending,
        }))
    }

    fn run_blocking(&self, job: Job) {
        job();
    }

    fn spawn(&self, work: BoxFuture<()>) {
        self.spawned.lock().unwrap().push(work);
    }

    fn date(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(1_785_240_000) + *self.passed.lock().unwrap()
    }
}

#[derive(Default)]
struct Inbox(Mutex<Vec<Value>>);

impl Outbox for Inbox {
    fn send(&self, message: Outgoing) {
        self.0.lock().unwrap().push(serde_json::from_slice(message.as_bytes()).unwrap());
    }
}

/// A session with its outgoing messages and its pending calls.
pub(crate) struct Peer {
    session: Session,
    host: Arc<TestHost>,
    inbox: Arc<Inbox>,
    pending: Vec<Later>,
}

impl Peer {
    /// Opens a session of the server, without a handshake.
    pub(crate) fn new(server: impl IntoServer) -> Peer {
        let inbox = Arc::new(Inbox::default());
        let host = Arc::new(TestHost::default());
        let session = server.into_server().unwrap().session(host.clone(), inbox.clone());
        Peer { session, host, inbox, pending: Vec::new() }
    }

    /// Sets the principal, as an authenticating transport does.
    pub(crate) fn with_principal(mut self, principal: &str) -> Peer {
        self.session = self.session.held_by(Some(Principal::new(principal)));
        self
    }

    /// Marks the session as one for a single message, as a transport without sessions does.
    pub(crate) fn for_one_message(mut self) -> Peer {
        self.session = self.session.for_one_message();
        self
    }

    /// Opens another session with the same host, without a handshake.
    pub(crate) fn on_same_host(&self, server: impl IntoServer) -> Peer {
        let inbox = Arc::new(Inbox::default());
        let session = server.into_server().unwrap().session(self.host.clone(), inbox.clone());
        Peer { session, host: self.host.clone(), inbox, pending: Vec::new() }
    }

    /// Polls all spawned futures. Returns the number of those that are still pending.
    pub(crate) fn poll_spawned(&self) -> usize {
        self.host.poll()
    }

    /// Advances the clock.
    pub(crate) fn advance_time(&self, time: Duration) {
        *self.host.passed.lock().unwrap() += time;
    }

    /// Ends the session, as if the client had disconnected.
    pub(crate) fn disconnect(&self) {
        self.session.cancel_all();
    }

    /// Opens a session and negotiates this revision.
    pub(crate) fn with_revision(revision: &str, server: impl IntoServer) -> Peer {
        let mut peer = Peer::new(server);
        let params = json!({"protocolVersion": revision, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
        let reply = peer.ask("initialize", params);
        assert_eq!(reply["result"]["protocolVersion"], revision);
        peer
    }

    /// Sends a line. Returns the response if there is one at once or after one poll.
    pub(crate) fn send(&mut self, line: impl AsRef<[u8]>) -> Option<String> {
        let reply = match self.session.receive(Message::parse(line.as_ref())) {
            Reply::None => None,
            Reply::Now(response) => Some(response.to_json()),
            Reply::Later(later) => {
                self.pending.push(later);
                self.poll().pop()
            }
        };
        if let Some(reply) = &reply {
            official_schemas::check(line.as_ref(), reply, self.session.revision());
        }
        reply
    }

    /// Sends a line that starts a call. Returns the call without polling it.
    pub(crate) fn begin(&mut self, line: impl AsRef<[u8]>) -> Later {
        let Reply::Later(later) = self.session.receive(Message::parse(line.as_ref())) else { panic!("no call") };
        later
    }

    /// Adds a call to those that `poll` polls.
    pub(crate) fn adopt(&mut self, later: Later) {
        self.pending.push(later);
    }

    /// Polls the pending calls. Returns the responses of those that are ready.
    pub(crate) fn poll(&mut self) -> Vec<String> {
        let mut answers = Vec::new();
        self.pending.retain_mut(|later| match pin!(later).poll(&mut Task::from_waker(Waker::noop())) {
            Poll::Pending => true,
            Poll::Ready(response) => {
                answers.extend(response.map(|response| response.to_json()));
                false
            }
        });
        answers
    }

    /// Sets the principal of all following requests.
    pub(crate) fn set_principal(&mut self, principal: Option<Principal>) {
        self.session = self.session.held_by(principal);
    }

    pub(crate) fn pending(&self) -> usize {
        self.pending.len()
    }

    pub(crate) fn in_flight(&self) -> usize {
        self.session.in_flight()
    }

    /// Sends a request. Returns the response.
    pub(crate) fn ask(&mut self, method: &str, params: Value) -> Value {
        self.json(json!({"jsonrpc": "2.0", "id": "ask", "method": method, "params": params}).to_string())
    }

    /// Sends a line. Returns the response, or `null` if there is none.
    pub(crate) fn json(&mut self, line: impl AsRef<[u8]>) -> Value {
        self.send(line).map_or(Value::Null, |text| serde_json::from_str(&text).unwrap())
    }

    /// Sends a line that must cause an error. Returns the error code and the id of the response.
    pub(crate) fn error(&mut self, line: impl AsRef<[u8]>) -> (i64, Option<Value>) {
        let reply = self.json(line.as_ref());
        let code = reply["error"]["code"].as_i64();
        (code.unwrap_or_else(|| panic!("{} got {reply}", String::from_utf8_lossy(line.as_ref()))), reply.get("id").cloned())
    }

    /// Returns the notifications and requests that the server has sent since the last call.
    pub(crate) fn notifications(&self) -> Vec<Value> {
        std::mem::take(&mut *self.inbox.0.lock().unwrap())
    }
}

/// The `_meta` of a stateless request.
pub(crate) fn stateless() -> Value {
    json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}})
}

/// A server whose tools return, wait, fail, panic and log.
pub(crate) fn server() -> Builder {
    let text = json!({"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]});
    let echo = tool_fn(ToolSpec::new("echo", "Say it back.").input_schema(text), |arguments: Value, _| async move {
        arguments["text"].as_str().unwrap_or_default().to_owned()
    });
    let wait = tool_fn(ToolSpec::new("wait", "Never finish."), |_: Value, cx: Context| async move {
        cx.progress(1, 2, "half way");
        std::future::pending::<()>().await;
    });
    let fail = tool_fn(ToolSpec::new("fail", "Fail."), |_: Value, _| async { Err::<(), _>("the disk is full") });
    let panic = tool_fn(ToolSpec::new("panic", "Panic."), |_: Value, cx: Context| async move {
        assert!(cx.is_cancelled(), "a secret");
    });
    let panic_early = tool_fn(ToolSpec::new("panic_early", "Panic before the future."), |_: Value, cx: Context| {
        assert!(cx.is_cancelled(), "a secret");
        std::future::ready(())
    });
    let log = tool_fn(ToolSpec::new("log", "Log."), |_: Value, cx: Context| async move {
        cx.log(mcp_core::LogLevel::Debug, "quiet");
        cx.log(mcp_core::LogLevel::Warning, json!({"loud": true}));
        ToolResult::default()
    });
    Server::builder("test", "1.2.3").tools([echo, wait, fail, panic, panic_early, log])
}
