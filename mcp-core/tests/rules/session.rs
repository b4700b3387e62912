//! A session under test: lines in, lines out.

use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::task::{Context as Task, Poll, Waker};
use std::time::{Duration, Instant, SystemTime};

use mcp_core::transport::{BoxFuture, Host, Job, Later, Message, Outbox, Outgoing, Reply, Session};
use mcp_core::{Builder, Context, IntoServer, Principal, Server, ToolResult, ToolSpec, tool_fn};
use serde_json::{Value, json};

use crate::official;

/// A world in which no time passes but what a test lets pass, and blocking work is done at once.
#[derive(Default)]
pub(crate) struct Still {
    /// Work that nobody waits for.
    spawned: Mutex<Vec<BoxFuture<()>>>,
    /// How much time has passed.
    passed: Arc<Mutex<Duration>>,
}

impl Still {
    /// Polls all work that nobody waits for; says how much is not done.
    fn poll(&self) -> usize {
        let mut work = std::mem::take(&mut *self.spawned.lock().unwrap());
        work.retain_mut(|work| work.as_mut().poll(&mut Task::from_waker(Waker::noop())).is_pending());
        let mut spawned = self.spawned.lock().unwrap();
        spawned.extend(work);
        spawned.len()
    }
}

impl Host for Still {
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

/// A session, what it sent by itself, and the calls that are not done.
pub(crate) struct Peer {
    session: Session,
    host: Arc<Still>,
    inbox: Arc<Inbox>,
    pending: Vec<Later>,
}

impl Peer {
    /// A session of that server, before any handshake.
    pub(crate) fn new(server: impl IntoServer) -> Peer {
        let inbox = Arc::new(Inbox::default());
        let host = Arc::new(Still::default());
        let session = server.into_server().unwrap().session(host.clone(), inbox.clone());
        Peer { session, host, inbox, pending: Vec::new() }
    }

    /// The same client, known to the transport by that name.
    pub(crate) fn known_as(mut self, principal: &str) -> Peer {
        self.session = self.session.held_by(Some(Principal::new(principal)));
        self
    }

    /// Another client of the same server in the same world, before any handshake.
    pub(crate) fn beside(&self, server: impl IntoServer) -> Peer {
        let inbox = Arc::new(Inbox::default());
        let session = server.into_server().unwrap().session(self.host.clone(), inbox.clone());
        Peer { session, host: self.host.clone(), inbox, pending: Vec::new() }
    }

    /// Polls the work that nobody waits for; says how much is not done.
    pub(crate) fn work(&self) -> usize {
        self.host.poll()
    }

    /// Lets time pass.
    pub(crate) fn pass(&self, time: Duration) {
        *self.host.passed.lock().unwrap() += time;
    }

    /// The client is gone.
    pub(crate) fn leave(&self) {
        self.session.cancel_all();
    }

    /// A session that has agreed on that revision.
    pub(crate) fn speaking(revision: &str, server: impl IntoServer) -> Peer {
        let mut peer = Peer::new(server);
        let params = json!({"protocolVersion": revision, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
        let reply = peer.ask("initialize", params);
        assert_eq!(reply["result"]["protocolVersion"], revision);
        peer
    }

    /// What is answered to these bytes, at once or after one poll.
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
            official::check(line.as_ref(), reply, self.session.revision());
        }
        reply
    }

    /// A call that is not polled yet.
    pub(crate) fn begin(&mut self, line: impl AsRef<[u8]>) -> Later {
        let Reply::Later(later) = self.session.receive(Message::parse(line.as_ref())) else { panic!("no call") };
        later
    }

    /// Polls this call with the others from now on.
    pub(crate) fn adopt(&mut self, later: Later) {
        self.pending.push(later);
    }

    /// Polls the calls that are not done; gives back the answers of those that now are.
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

    /// From now on everything comes through these hands.
    pub(crate) fn hold(&mut self, principal: Option<Principal>) {
        self.session = self.session.held_by(principal);
    }

    pub(crate) fn pending(&self) -> usize {
        self.pending.len()
    }

    pub(crate) fn in_flight(&self) -> usize {
        self.session.in_flight()
    }

    /// The answer to a request, as JSON.
    pub(crate) fn ask(&mut self, method: &str, params: Value) -> Value {
        self.json(json!({"jsonrpc": "2.0", "id": "ask", "method": method, "params": params}).to_string())
    }

    /// The answer to these bytes, as JSON; null for silence.
    pub(crate) fn json(&mut self, line: impl AsRef<[u8]>) -> Value {
        self.send(line).map_or(Value::Null, |text| serde_json::from_str(&text).unwrap())
    }

    /// The error code in answer to these bytes, and the id that came with it.
    pub(crate) fn refusal(&mut self, line: impl AsRef<[u8]>) -> (i64, Option<Value>) {
        let reply = self.json(line.as_ref());
        let code = reply["error"]["code"].as_i64();
        (code.unwrap_or_else(|| panic!("{} got {reply}", String::from_utf8_lossy(line.as_ref()))), reply.get("id").cloned())
    }

    /// What the server sent by itself since the last time.
    pub(crate) fn notifications(&self) -> Vec<Value> {
        std::mem::take(&mut *self.inbox.0.lock().unwrap())
    }
}

/// A request's `_meta` in the stateless revision.
pub(crate) fn stateless() -> Value {
    json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}})
}

/// A server with a tool for every kind of behaviour.
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
