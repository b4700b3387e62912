//! A client in the same process as its server.

use std::fmt;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use mcp_core::protocol::Revision;
use mcp_core::transport::{Message, Outbox, Outgoing, Reply, Response, RpcError, Session};
use mcp_core::{IntoServer, ToolResult};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::host::ClientHost;
use crate::ongoing::Ongoing;

/// A client in the same process as its server, for tests.
///
/// Everything that a test does not expect is a panic that says what happened: a server that cannot be built, a protocol
/// error in answer to a call. What tools answer, errors included, is a [`ToolResult`].
pub struct Client {
    session: Session,
    pub(crate) host: Arc<ClientHost>,
    revision: Revision,
    capabilities: Value,
    next_id: AtomicI64,
    inbox: Arc<Inbox>,
    inspector: Option<Box<Inspector>>,
}

/// Sees every answer: the revision, the method and the whole message.
type Inspector = dyn Fn(Revision, &str, &Value) + Send + Sync;

/// What the server sent without being asked.
#[derive(Debug, Default)]
struct Inbox(Mutex<Vec<Value>>);

impl Outbox for Inbox {
    fn send(&self, message: Outgoing) {
        let message = serde_json::from_slice(message.as_bytes()).expect("a server sends JSON");
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(message);
    }
}

impl Client {
    /// Connects to a server with the newest revision.
    ///
    /// # Panics
    /// When the server cannot be built.
    pub fn new(server: impl IntoServer) -> Client {
        Client::with_revision(server, Revision::NEWEST)
    }

    /// Connects to a server with that revision.
    ///
    /// # Panics
    /// When the server cannot be built.
    pub fn with_revision(server: impl IntoServer, revision: Revision) -> Client {
        Client::with_capabilities(server, revision, json!({}))
    }

    /// Connects to a server with that revision, as a client that can do so much, in the words of the protocol.
    ///
    /// What the server then asks comes with [`take_notifications`](Self::take_notifications), and is answered with
    /// [`answer`](Self::answer); in a stateless revision it comes as a result, and is answered with the next request. Tasks of
    /// the server go on while the test awaits something of this client.
    ///
    /// # Panics
    /// When the server cannot be built.
    pub fn with_capabilities(server: impl IntoServer, revision: Revision, capabilities: Value) -> Client {
        let server = server.into_server().unwrap_or_else(|error| panic!("the server cannot be built:\n{error}"));
        let inbox = Arc::new(Inbox::default());
        let host = Arc::new(ClientHost::default());
        let session = server.session(host.clone(), inbox.clone());
        let next_id = AtomicI64::new(1);
        let client = Client { session, host, revision, capabilities, next_id, inbox, inspector: None };
        if !revision.is_stateless() {
            let params = json!({
                "protocolVersion": revision.as_str(),
                "capabilities": client.capabilities,
                "clientInfo": {"name": env!("CARGO_PKG_NAME"), "version": env!("CARGO_PKG_VERSION")},
            });
            let request = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}).to_string();
            let Reply::Now(_) = client.session.receive(Message::parse_text(&request)) else {
                unreachable!("`initialize` is answered at once");
            };
            client.notify("notifications/initialized", &json!({}));
        }
        client
    }

    /// Shows every answer to a function before the test sees it: the revision, the method and the whole message.
    ///
    /// Write one that checks what all answers have in common, or prints them.
    #[must_use]
    pub fn inspect(mut self, inspector: impl Fn(Revision, &str, &Value) + Send + Sync + 'static) -> Client {
        self.inspector = Some(Box::new(inspector));
        self
    }

    /// Calls a tool and waits for its result.
    ///
    /// # Panics
    /// When the answer is a protocol error, for example because there is no such tool.
    pub async fn call(&self, tool: &str, arguments: impl Serialize) -> ToolResult {
        self.try_call(tool, arguments).await.unwrap_or_else(|error| panic!("calling `{tool}` failed: {error}"))
    }

    /// Calls a tool and reads what it gives as a `T`: its structured output, else its text, as JSON or as it is.
    ///
    /// So it is the type that the tool's function returns, or one that is like it:
    ///
    /// ```
    /// # use mcp_core::{Server, tool, tools};
    /// # use serde_json::json;
    /// # /// Add two numbers.
    /// # #[tool]
    /// # fn add(a: i64, b: i64) -> i64 {
    /// #     a + b
    /// # }
    /// # futures_lite::future::block_on(async {
    /// # let client = mcp_test::Client::new(Server::builder("calc", "1.0.0").tools(tools![add]));
    /// let sum: i64 = client.call_as("add", json!({"a": 2, "b": 3})).await;
    /// assert_eq!(sum, 5);
    /// # });
    /// ```
    ///
    /// # Panics
    /// When the tool fails, or when what it gives is no `T`.
    pub async fn call_as<T: DeserializeOwned>(&self, tool: &str, arguments: impl Serialize) -> T {
        let result = self.call(tool, arguments).await;
        assert!(!result.is_error, "`{tool}` failed: {}", result.to_text());
        if result.structured.is_some() {
            let structured = result.structured_as();
            return structured
                .unwrap_or_else(|error| panic!("the structured output of `{tool}` is something else: {error}"));
        }
        let text = result.to_text();
        serde_json::from_str(&text)
            .or_else(|_| serde_json::from_value(Value::String(text.clone())))
            .unwrap_or_else(|error| panic!("what `{tool}` gives is something else: {error}\n{text}"))
    }

    /// Calls a tool and waits for its result.
    ///
    /// # Errors
    /// The protocol error, if that is the answer.
    pub async fn try_call(&self, tool: &str, arguments: impl Serialize) -> Result<ToolResult, RpcError> {
        self.begin(tool, arguments).await.expect("nobody cancelled the call")
    }

    /// Begins a call without waiting, so that it can be cancelled. The tool starts when this is first awaited.
    pub fn begin(&self, tool: &str, arguments: impl Serialize) -> Ongoing<'_> {
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        let params = json!({"name": tool, "arguments": arguments, "_meta": {"progressToken": id}});
        Ongoing { client: self, id, reply: self.send("tools/call", params, id) }
    }

    /// Tells the server that the answer to a request is no longer wanted.
    pub fn cancel(&self, id: i64) {
        self.notify("notifications/cancelled", &json!({"requestId": id}));
    }

    /// The tools that the server lists, over all pages.
    ///
    /// # Panics
    /// When the answer is a protocol error.
    pub async fn list_tools(&self) -> Vec<Value> {
        let (mut tools, mut params) = (Vec::new(), json!({}));
        loop {
            let mut page =
                self.request("tools/list", params).await.unwrap_or_else(|error| panic!("listing failed: {error}"));
            let Value::Array(more) = page["tools"].take() else { panic!("no tools in {page}") };
            tools.extend(more);
            match page["nextCursor"].take() {
                Value::Null => return tools,
                cursor => params = json!({"cursor": cursor}),
            }
        }
    }

    /// Sends any request and waits for its result.
    ///
    /// # Errors
    /// The protocol error, if that is the answer.
    ///
    /// # Panics
    /// When the server gives no answer because the request was cancelled.
    pub async fn request(&self, method: &str, params: Value) -> Result<Value, RpcError> {
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        let response = match self.send(method, params, id) {
            Reply::Now(response) => response,
            Reply::Later(mut later) => {
                let response = poll_fn(|task| {
                    let poll = Pin::new(&mut later).poll(task);
                    // What the request has set going may be what it waits for.
                    self.host.work(task);
                    if poll.is_pending() { Pin::new(&mut later).poll(task) } else { poll }
                });
                response.await.expect("nobody cancelled the request")
            }
            Reply::None => panic!("`{method}` was not answered"),
        };
        self.outcome(method, &response)
    }

    /// Sends any notification.
    pub fn notify(&self, method: &str, params: &Value) {
        let text = json!({"jsonrpc": "2.0", "method": method, "params": params}).to_string();
        let Reply::None = self.session.receive(Message::parse_text(&text)) else {
            panic!("the notification `{method}` was answered");
        };
    }

    /// Answers a question of the server, which is a request among what it sent.
    ///
    /// # Panics
    /// When it is no request.
    pub fn answer(&self, question: &Value, result: &Value) {
        assert!(question.get("id").is_some(), "this is no question: {question}");
        let text = json!({"jsonrpc": "2.0", "id": question["id"], "result": result}).to_string();
        let Reply::None = self.session.receive(Message::parse_text(&text)) else {
            panic!("an answer was answered");
        };
    }

    /// Takes what the server sent without being asked since the last time: progress, log messages, changes, questions.
    pub fn take_notifications(&self) -> Vec<Value> {
        std::mem::take(&mut *self.inbox.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn send(&self, method: &str, mut params: Value, id: i64) -> Reply {
        if self.revision.is_stateless() {
            let meta = &mut params["_meta"];
            meta["io.modelcontextprotocol/protocolVersion"] = json!(self.revision.as_str());
            meta["io.modelcontextprotocol/clientCapabilities"] = self.capabilities.clone();
            meta["io.modelcontextprotocol/logLevel"] = json!("debug");
        }
        let text = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string();
        self.session.receive(Message::parse_text(&text))
    }
}

impl Client {
    /// What a response says, checked to be an answer to the request it was made for.
    pub(crate) fn outcome(&self, method: &str, response: &Response) -> Result<Value, RpcError> {
        let mut wire: Value = serde_json::from_str(&response.to_json()).expect("a server sends JSON");
        assert_eq!(wire["jsonrpc"], "2.0");
        assert!(response.id().is_some_and(|id| id.as_json() == wire["id"].to_string()), "a response without id: {wire}");
        if let Some(inspector) = &self.inspector {
            inspector(self.revision, method, &wire);
        }
        match wire["error"].take() {
            Value::Null => Ok(wire["result"].take()),
            error => Err(serde_json::from_value(error).expect("an error object")),
        }
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("session", &self.session).field("revision", &self.revision).finish_non_exhaustive()
    }
}
