//! The options of a client. Awaiting them connects the client.

use std::fmt;
use std::future::IntoFuture;
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use mcp_core::ask::Root;
use mcp_core::protocol::Revision;
use mcp_core::transport::RpcError;
use mcp_core::{Elicited, IntoServer, LogLevel};
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use serde_json::{Map, Value};
use tokio::io::{AsyncRead, AsyncWrite};

use crate::authorize::{Authorize, Credentials, FixedToken};
use crate::client::Client;
use crate::error::ConnectError;
use crate::handler::{Closures, Elicitation, Handler, Sample, SampleRequest};
use crate::observe::{Direction, OnStderr};
use crate::options::Options;
use crate::recovery::Recovery;
use crate::transport::http::Http;
use crate::transport::in_process::InProcess;
use crate::transport::sse::Sse;
use crate::transport::stdio::Stdio;
use crate::transport::stream::Streams;
use crate::transport::{Boxed, Transport};

/// The options of a client that is not connected yet. Await it to connect.
///
/// ```no_run
/// use std::time::Duration;
/// use mcp_client::Client;
///
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// let client = Client::http("https://example.com/mcp").bearer("secret").timeout(Duration::from_secs(30)).await?;
/// # Ok(())
/// # }
/// ```
#[must_use = "a builder does nothing until it is awaited"]
pub struct Builder {
    target: Target,
    closures: Closures,
    handler: Option<Arc<dyn Handler>>,
    headers: HeaderMap,
    authorize: Option<Arc<dyn Authorize>>,
    inherit_env: bool,
    on_stderr: Option<OnStderr>,
    faults: Vec<String>,
    pub(crate) options: Options,
}

/// What the client connects to.
enum Target {
    Process(Command),
    Http(String),
    Sse(String),
    Transport(Result<Box<dyn Transport>, String>),
}

impl Builder {
    fn new(target: Target) -> Builder {
        Builder {
            target,
            closures: Closures::default(),
            handler: None,
            headers: HeaderMap::new(),
            authorize: None,
            inherit_env: false,
            on_stderr: None,
            faults: Vec::new(),
            options: Options::default(),
        }
    }

    pub(crate) fn process(command: Command) -> Builder {
        Builder::new(Target::Process(command))
    }

    pub(crate) fn http(url: String) -> Builder {
        Builder::new(Target::Http(url))
    }

    pub(crate) fn sse(url: String) -> Builder {
        Builder::new(Target::Sse(url))
    }

    pub(crate) fn in_process(server: impl IntoServer) -> Builder {
        let transport = match server.into_server() {
            Ok(server) => Ok(Box::new(InProcess::new(server)) as Box<dyn Transport>),
            Err(error) => Err(format!("the server cannot be built: {error}")),
        };
        Builder::new(Target::Transport(transport))
    }

    pub(crate) fn streams<R, W>(read: R, write: W) -> Builder
    where
        R: AsyncRead + Send + Unpin + 'static,
        W: AsyncWrite + Send + Unpin + 'static,
    {
        Builder::new(Target::Transport(Ok(Box::new(Streams::new(read, write)))))
    }

    /// Uses only this revision, instead of the newest one that the server supports.
    ///
    /// By default the client asks for 2026-07-28 with `server/discover` and falls back to `initialize`.
    pub fn revision(mut self, revision: Revision) -> Builder {
        self.options.pinned = Some(revision);
        self
    }

    /// Sets the name and version that the server sees. Default: the name and version of this crate.
    pub fn name(mut self, name: impl Into<String>, version: impl Into<String>) -> Builder {
        (self.options.client_info.name, self.options.client_info.version) = (name.into(), version.into());
        self
    }

    /// Sets the timeout of requests. `None` waits without limit. Default: five minutes.
    ///
    /// A call can have [its own timeout](crate::Call::timeout).
    pub fn timeout(mut self, timeout: impl Into<Option<Duration>>) -> Builder {
        self.options.timeout = timeout.into();
        self
    }

    /// Sets the timeout for connecting, which includes the handshake. Default: one minute.
    pub fn connect_timeout(mut self, timeout: Duration) -> Builder {
        self.options.connect_timeout = timeout;
        self
    }

    /// Sets the timeout for `server/discover`, after which the client sends `initialize`. Default: five seconds.
    ///
    /// Matters only for servers that ignore unknown requests.
    pub fn probe_timeout(mut self, timeout: Duration) -> Builder {
        self.options.probe_timeout = timeout;
        self
    }

    /// Sets how a lost connection is restored.
    pub fn recovery(mut self, recovery: Recovery) -> Builder {
        self.options.recovery = recovery;
        self
    }

    /// Sets the maximum size of a message of the server in bytes. Default: 16 MiB.
    pub fn message_limit(mut self, bytes: usize) -> Builder {
        self.options.message_limit = bytes;
        self
    }

    /// Sets the maximum number of pages of a list. Default: 1,000.
    pub fn page_limit(mut self, pages: usize) -> Builder {
        self.options.page_limit = pages;
        self
    }

    /// Disables the cache of results.
    pub fn without_cache(mut self) -> Builder {
        self.options.cache = false;
        self
    }

    /// Does not declare the tasks extension of 2026-07-28.
    ///
    /// By default a server may turn a call into a task. The client then polls the task until it has a result.
    pub fn without_tasks(mut self) -> Builder {
        self.options.tasks = false;
        self
    }

    /// Accepts structured output that does not match the tool's output schema.
    pub fn without_output_validation(mut self) -> Builder {
        self.options.validate_output = false;
        self
    }

    /// Requests log messages of this level and higher ones. Read them with [`Client::logs`].
    pub fn log_level(mut self, level: LogLevel) -> Builder {
        self.options.log_level = Mutex::new(Some(level));
        self
    }

    /// Sets a function that returns the `traceparent` of the current span. It is sent in the `_meta` of each request.
    ///
    /// It is called inside the `tracing` span of the request. With OpenTelemetry, it formats the context of that span.
    pub fn trace_context(mut self, current: impl Fn() -> Option<String> + Send + Sync + 'static) -> Builder {
        self.options.trace_context = Some(Arc::new(current));
        self
    }

    /// Sets the function that answers elicitations: forms and pages that a server shows to the user.
    ///
    /// ```no_run
    /// use mcp_client::{Client, ElicitationMode};
    /// use mcp_core::Elicited;
    ///
    /// # async fn example(server: mcp_core::Server) -> Result<(), mcp_client::ConnectError> {
    /// let client = Client::of(server)
    ///     .on_elicit(async |elicitation| match elicitation.mode {
    ///         ElicitationMode::Form { schema } => Ok(Elicited::Accepted(ask_the_user(elicitation.message, schema))),
    ///         _ => Ok(Elicited::Declined),
    ///     })
    ///     .await?;
    /// # Ok(())
    /// # }
    /// # fn ask_the_user(_: String, _: serde_json::Value) -> serde_json::Map<String, serde_json::Value> { Default::default() }
    /// ```
    pub fn on_elicit<F, R>(mut self, elicit: F) -> Builder
    where
        F: Fn(Elicitation) -> R + Send + Sync + 'static,
        R: Future<Output = Result<Elicited<Map<String, Value>>, RpcError>> + Send + 'static,
    {
        self.closures.on_elicit(elicit);
        self
    }

    /// Sets the function that answers sampling requests, in which a server uses a model of the client.
    pub fn on_sample<F, R>(mut self, sample: F) -> Builder
    where
        F: Fn(SampleRequest) -> R + Send + Sync + 'static,
        R: Future<Output = Result<Sample, RpcError>> + Send + 'static,
    {
        self.closures.on_sample(sample);
        self
    }

    /// Sets the folders that the user works in (roots). Servers can request them.
    pub fn roots(mut self, roots: impl IntoIterator<Item = Root>) -> Builder {
        self.closures.set_roots(roots.into_iter().collect());
        self
    }

    /// Sets a handler for all requests of the server. It replaces the closures and roots.
    pub fn handler(mut self, handler: impl Handler) -> Builder {
        self.handler = Some(Arc::new(handler));
        self
    }

    /// Sets how HTTP requests are authorized, for example with [`OAuth`](crate::OAuth).
    pub fn authorize(mut self, authorize: impl Authorize) -> Builder {
        self.authorize = Some(Arc::new(authorize));
        self
    }

    /// Authorizes HTTP requests with a fixed bearer token.
    pub fn bearer(mut self, token: &str) -> Builder {
        match Credentials::bearer(token) {
            Ok(credentials) => self.authorize(FixedToken(credentials)),
            Err(error) => {
                self.faults.push(error.to_string());
                self
            }
        }
    }

    /// Adds a header to every HTTP request.
    pub fn header(mut self, name: &str, value: &str) -> Builder {
        match (HeaderName::try_from(name), HeaderValue::try_from(value)) {
            (Ok(name), Ok(value)) => drop(self.headers.insert(name, value)),
            _ => self.faults.push(format!("`{name}` is not a valid header")),
        }
        self
    }

    /// Passes the whole environment of this process to a server process.
    ///
    /// By default a server process gets the variables that are set on the command, and a fixed list without secrets, such as
    /// `PATH`, `HOME` and `LANG`.
    pub fn inherit_env(mut self) -> Builder {
        self.inherit_env = true;
        self
    }

    /// Calls a function with the JSON of every message that is sent or received, for example to log it. It must not block.
    ///
    /// A message over the [size limit](Builder::message_limit) is not passed on.
    pub fn on_message(mut self, observe: impl Fn(Direction, &[u8]) + Send + Sync + 'static) -> Builder {
        self.options.on_message = Some(Arc::new(observe));
        self
    }

    /// Calls a function with everything that a server process writes to standard error, in parts. It must not block.
    ///
    /// By default only the end is kept, for error messages.
    pub fn on_stderr(mut self, receive: impl Fn(&[u8]) + Send + Sync + 'static) -> Builder {
        self.on_stderr = Some(Arc::new(receive));
        self
    }

    fn transport(&mut self) -> Result<Box<dyn Transport>, ConnectError> {
        if let Some(fault) = self.faults.pop() {
            return Err(ConnectError::Options(fault));
        }
        let (limit, headers) = (self.options.message_limit, std::mem::take(&mut self.headers));
        let authorize = self.authorize.take();
        // `server/discover` may cause a login, so its timeout includes the login.
        let login_time = authorize.as_ref().map_or(Duration::ZERO, |authorize| authorize.login_time());
        self.options.connect_timeout += login_time;
        self.options.probe_timeout += login_time;
        Ok(match std::mem::replace(&mut self.target, Target::Transport(Err("already connected".into()))) {
            Target::Process(command) => Box::new(Stdio::new(command, self.inherit_env, limit, self.on_stderr.take())),
            Target::Http(url) => Box::new(Http::new(&url, headers, authorize, limit)?),
            Target::Sse(url) => Box::new(Sse::new(&url, headers, authorize, limit)?),
            Target::Transport(transport) => transport.map_err(ConnectError::Options)?,
        })
    }
}

impl IntoFuture for Builder {
    type Output = Result<Client, ConnectError>;
    type IntoFuture = Boxed<'static, Result<Client, ConnectError>>;

    /// Connects, and completes the handshake.
    fn into_future(mut self) -> Self::IntoFuture {
        Box::pin(async move {
            let transport = self.transport()?;
            let handler = self.handler.unwrap_or_else(|| Arc::new(self.closures));
            Client::open(transport, self.options, handler).await
        })
    }
}

impl fmt::Debug for Builder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Builder").field("options", &self.options).finish_non_exhaustive()
    }
}
