//! A client in the same process as its server.

use std::fmt;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use mcp_core::caller::{Caller, ToolCallError};
use mcp_core::protocol::Revision;
use mcp_core::transport::{
    CLIENT_CAPABILITIES, LOG_LEVEL, Message, Outbox, Outgoing, PROTOCOL_VERSION, Reply, Response, RpcError, Session,
};
use mcp_core::{IntoServer, ToolResult};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::host::ClientHost;
use crate::pending_call::PendingCall;

/// A client in the same process as its server, for tests.
///
/// A tool result, including an error of the tool, is returned as a [`ToolResult`]. Other failures panic with an explanation:
/// a server that cannot be built, or a protocol error in response to [`call`](Self::call).
pub struct Client {
    session: Session,
    pub(crate) host: Arc<ClientHost>,
    revision: Revision,
    capabilities: Value,
    next_id: AtomicI64,
    inbox: Arc<Inbox>,
    inspector: Option<Box<Inspector>>,
}

/// A callback for every response: the revision, the method and the complete message.
type Inspector = dyn Fn(Revision, &str, &Value) + Send + Sync;

/// Notifications and requests from the server.
#[derive(Debug, Default)]
struct Inbox(Mutex<Vec<Value>>);

impl Outbox for Inbox {
    fn send(&self, message: Outgoing) {
        let message = serde_json::from_slice(message.as_bytes()).expect("a server sends JSON");
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(message);
    }
}

impl Client {
    /// Connects to a server with the newest revision of the protocol.
    ///
    /// # Panics
    /// If the server cannot be built.
    pub fn new(server: impl IntoServer) -> Client {
        Client::with_revision(server, Revision::NEWEST)
    }

    /// Connects to a server with this revision of the protocol.
    ///
    /// # Panics
    /// If the server cannot be built.
    pub fn with_revision(server: impl IntoServer, revision: Revision) -> Client {
        Client::with_capabilities(server, revision, json!({}))
    }

    /// Connects to a server with this revision and these client capabilities, in the format of the protocol.
    ///
    /// [`take_notifications`](Self::take_notifications) returns requests of the server too; respond to them with
    /// [`answer`](Self::answer). In a stateless revision, such a request is part of a result, and the next request of the
    /// client carries the response. Tasks of the server run only while the test awaits a future of this client.
    ///
    /// # Panics
    /// If the server cannot be built.
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

    /// Sets a function that is called with every response: the revision, the method and the complete message.
    ///
    /// Use it to check all responses against a common rule, or to print them.
    #[must_use]
    pub fn inspect(mut self, inspector: impl Fn(Revision, &str, &Value) + Send + Sync + 'static) -> Client {
        self.inspector = Some(Box::new(inspector));
        self
    }

    /// Calls a tool and waits for its result.
    ///
    /// # Panics
    /// If the response is a protocol error, for example because the tool does not exist.
    pub async fn call(&self, tool: &str, arguments: impl Serialize) -> ToolResult {
        self.try_call(tool, arguments).await.unwrap_or_else(|error| panic!("calling `{tool}` failed: {error}"))
    }

    /// Calls a tool and deserializes its result: the structured output if there is one, else the text. Text that is not JSON
    /// is deserialized as a string.
    ///
    /// `T` is usually the return type of the tool's function:
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
    /// If the tool fails, or if its result cannot be deserialized into a `T`.
    pub async fn call_as<T: DeserializeOwned>(&self, tool: &str, arguments: impl Serialize) -> T {
        let result = self.call(tool, arguments).await;
        assert!(!result.is_error, "`{tool}` failed: {}", result.to_text());
        result.decode().unwrap_or_else(|error| {
            panic!("cannot deserialize the result of `{tool}`: {error}\n{}", result.to_text());
        })
    }

    /// Calls a tool and waits for its result.
    ///
    /// # Errors
    /// If the response is a protocol error.
    pub async fn try_call(&self, tool: &str, arguments: impl Serialize) -> Result<ToolResult, RpcError> {
        self.begin(tool, arguments).await.expect("the call was not cancelled")
    }

    /// Sends a call without waiting for its result, so that it can be cancelled. The tool runs only while the returned
    /// future is polled.
    pub fn begin(&self, tool: &str, arguments: impl Serialize) -> PendingCall<'_> {
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        let params = json!({"name": tool, "arguments": arguments, "_meta": {"progressToken": id}});
        PendingCall { client: self, id, reply: self.send("tools/call", params, id) }
    }

    /// Sends a cancellation of the request with this id.
    pub fn cancel(&self, id: i64) {
        self.notify("notifications/cancelled", &json!({"requestId": id}));
    }

    /// Returns the tools that the server lists, from all pages.
    ///
    /// # Panics
    /// If a response is a protocol error.
    pub async fn list_tools(&self) -> Vec<Value> {
        let (mut tools, mut params) = (Vec::new(), json!({}));
        loop {
            let mut page =
                self.request("tools/list", params).await.unwrap_or_else(|error| panic!("listing the tools failed: {error}"));
            let Value::Array(more) = page["tools"].take() else { panic!("no list of tools in {page}") };
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
    /// If the response is a protocol error.
    ///
    /// # Panics
    /// If there is no response because the request was cancelled.
    pub async fn request(&self, method: &str, params: Value) -> Result<Value, RpcError> {
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        let response = match self.send(method, params, id) {
            Reply::Now(response) => response,
            Reply::Later(mut later) => {
                let response = poll_fn(|task| {
                    let poll = Pin::new(&mut later).poll(task);
                    // The request may wait for work that it has spawned on this host.
                    self.host.work(task);
                    if poll.is_pending() { Pin::new(&mut later).poll(task) } else { poll }
                });
                response.await.expect("the request was not cancelled")
            }
            Reply::None => panic!("no response to `{method}`"),
        };
        self.outcome(method, &response)
    }

    /// Sends any notification.
    pub fn notify(&self, method: &str, params: &Value) {
        let text = json!({"jsonrpc": "2.0", "method": method, "params": params}).to_string();
        let Reply::None = self.session.receive(Message::parse_text(&text)) else {
            panic!("the server responded to the notification `{method}`");
        };
    }

    /// Sends the response to a request of the server, which [`take_notifications`](Self::take_notifications) returned.
    ///
    /// # Panics
    /// If `request` has no id.
    pub fn answer(&self, request: &Value, result: &Value) {
        assert!(request.get("id").is_some(), "not a request, because it has no id: {request}");
        let text = json!({"jsonrpc": "2.0", "id": request["id"], "result": result}).to_string();
        let Reply::None = self.session.receive(Message::parse_text(&text)) else {
            panic!("the server responded to a response");
        };
    }

    /// Returns the notifications and requests that the server has sent since the last call of this method.
    pub fn take_notifications(&self) -> Vec<Value> {
        std::mem::take(&mut *self.inbox.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn send(&self, method: &str, mut params: Value, id: i64) -> Reply {
        if self.revision.is_stateless() {
            let meta = &mut params["_meta"];
            meta[PROTOCOL_VERSION] = json!(self.revision.as_str());
            meta[CLIENT_CAPABILITIES] = self.capabilities.clone();
            meta[LOG_LEVEL] = json!("debug");
        }
        let text = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string();
        self.session.receive(Message::parse_text(&text))
    }
}

impl Client {
    /// Returns the result or the error of a response, after checking that it is a valid JSON-RPC response.
    pub(crate) fn outcome(&self, method: &str, response: &Response) -> Result<Value, RpcError> {
        let mut wire: Value = serde_json::from_str(&response.to_json()).expect("a server sends JSON");
        assert_eq!(wire["jsonrpc"], "2.0");
        assert!(
            response.id().is_some_and(|id| id.as_json() == wire["id"].to_string()),
            "the response has another id: {wire}"
        );
        if let Some(inspector) = &self.inspector {
            inspector(self.revision, method, &wire);
        }
        match wire["error"].take() {
            Value::Null => Ok(wire["result"].take()),
            error => Err(serde_json::from_value(error).expect("an error object")),
        }
    }
}

/// Calls tools through their functions: `add::on(&client).call(2, 3)`.
impl Caller for Client {
    type Error = ToolCallError;

    async fn call_tool(&self, name: &str, arguments: Map<String, Value>) -> Result<ToolResult, ToolCallError> {
        Ok(self.try_call(name, arguments).await?)
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("session", &self.session).field("revision", &self.revision).finish_non_exhaustive()
    }
}
