//! The context of a call: what a tool can read about its request, and what it can send to the client.

use std::any::{Any, TypeId};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::call::cancellation::Cancellation;
use crate::call::progress::Amount;
use crate::call::running;
use crate::call::state::CallState;
use crate::host::{BoxFuture, Outgoing};
use crate::jsonrpc::Id;
use crate::jsonrpc::methods;
use crate::protocol::{ClientCapabilities, Implementation, LogLevel, Revision};
use crate::server::state::StateSource;
use crate::session::principal::Principal;

/// The context of a call. A tool gets it with a parameter of type `&Context`.
///
/// ```
/// use mcp_core::{Context, tool};
///
/// /// Count to a number.
/// #[tool]
/// async fn count(to: u32, cx: &Context) -> String {
///     for n in 0..to {
///         cx.progress(n, to, "counting");
///         if cx.is_cancelled() {
///             break;
///         }
///     }
///     format!("counted to {to}")
/// }
/// ```
#[derive(Clone)]
pub struct Context {
    pub(crate) call: Arc<CallState>,
    /// The key of the next question to the client, if the tool has set one.
    pub(crate) question_key: Option<Arc<str>>,
}

impl Context {
    pub(crate) fn of(call: Arc<CallState>) -> Context {
        Context { call, question_key: None }
    }

    /// Sends a progress notification to the client. Does nothing if the client did not ask for progress.
    ///
    /// It can be called often: values that do not increase are dropped, and at most ten notifications per second are sent.
    /// Use [`Amount::UNKNOWN`] if the total is not known, and an empty text for no message.
    pub fn progress(&self, done: impl Into<Amount>, total: impl Into<Amount>, message: impl Into<String>) {
        let message = message.into();
        if let Some(task) = self.call.task() {
            task.note(&message);
        }
        if let Some(mut progress) = self.call.progress() {
            let held = progress.holds();
            let due = progress.report(done.into(), total.into(), message, self.call.session.host.now());
            let newly_held = !held && progress.holds();
            drop(progress);
            self.call.send(due);
            if newly_held {
                // A plain function reports from another thread. The task that polls the call must wake up to set a timer
                // for the held report.
                self.call.status.wake();
            }
        }
    }

    /// Sends a log message to the client, if the client wants log messages of this level.
    ///
    /// This is for the user of the client. For logs of the server itself, use `tracing`.
    pub fn log(&self, level: LogLevel, data: impl Serialize) {
        #[derive(Serialize)]
        struct Params<'a, D> {
            level: LogLevel,
            logger: &'a str,
            data: D,
            #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
            related: Option<&'a Value>,
        }
        if self.call.log_level.is_some_and(|threshold| level >= threshold) {
            let params = Params { level, logger: self.name(), data, related: self.call.related() };
            self.call.outbox().send(Outgoing::notification(methods::LOG_MESSAGE, &params));
        }
    }

    /// Closes the connection on which the client waits, for long calls. The client reconnects to get the response.
    ///
    /// Only clients of the HTTP transport in revision 2025-11-25 can reconnect. For others this does nothing.
    pub fn release_connection(&self) {
        if self.call.revision.primes_streams() {
            self.call.outbox().release();
        }
    }

    /// Returns whether the call was cancelled or timed out, or its [token](Context::cancellation) was cancelled.
    ///
    /// An `async fn` is dropped at its next `.await` then. A plain `fn` that runs long should check this regularly.
    pub fn is_cancelled(&self) -> bool {
        self.call.status.is_cancelled()
    }

    /// Waits until the call is cancelled or times out.
    pub async fn cancelled(&self) {
        self.call.status.token().cancelled().await;
    }

    /// Returns a token that is cancelled with the call, to pass to other tasks.
    ///
    /// Cancelling the token does not end the call: the tool can still return a result.
    pub fn cancellation(&self) -> Cancellation {
        self.call.status.token()
    }

    /// Notifies all clients that subscribed to this resource that its content has changed.
    pub fn resource_updated(&self, uri: impl Into<String>) {
        self.call.server().resource_updated(uri);
    }

    /// Returns the value of type `T` that was passed to [`Builder::state`](crate::Builder::state), or that of the session, made by
    /// [`Builder::session_state`](crate::Builder::session_state). `None` if there is neither, or if the request has no session.
    ///
    /// A tool function can take a parameter of type `&T` instead. This method is for tools that are created at run time.
    pub fn state<T: Any + Send + Sync>(&self) -> Option<Arc<T>> {
        let id = TypeId::of::<T>();
        let session = &self.call.session;
        let state = match self.call.server().registry.states.source(id)? {
            StateSource::Server(state) => state.clone(),
            StateSource::Session(_) if session.is_for_one_message.load(Ordering::Relaxed) => return None,
            StateSource::Session(make) => session.values.get_or_make(id, make),
        };
        state.downcast().ok()
    }

    /// Returns the name of the tool, prompt or resource.
    pub fn name(&self) -> &str {
        self.call.name()
    }

    /// Returns the id of the request.
    pub fn request_id(&self) -> &Id {
        &self.call.id
    }

    /// Returns the protocol revision of the request.
    pub fn revision(&self) -> Revision {
        self.call.revision
    }

    /// Returns the `clientInfo`, if the client sent it.
    pub fn client(&self) -> Option<&Implementation> {
        self.call.client().info.as_ref()
    }

    /// Returns the authenticated identity of the client, if the transport authenticates its clients.
    pub fn principal(&self) -> Option<&Principal> {
        self.call.principal.as_ref()
    }

    /// Returns a key for state that belongs to the caller: the session, together with the authenticated identity if there is
    /// one. For stateless requests with an identity it is the identity alone.
    ///
    /// Two clients never have the same key. A transport that creates a session for each request, as HTTP does for stateless
    /// requests, has a new key for each request without an identity. Returns `None` if no random id could be created.
    pub fn caller_key(&self) -> Option<String> {
        let owner = self.principal().map_or("", Principal::owner);
        if self.revision().is_stateless() && !owner.is_empty() {
            return Some(format!("principal {owner}"));
        }
        Some(format!("session {} {owner}", self.call.session.secret().ok()?))
    }

    /// Returns a future that is ready after this time, by the clock of the transport.
    pub fn sleep(&self, time: Duration) -> BoxFuture<()> {
        self.call.session.host.sleep(time)
    }

    /// Runs a function that may block, on a thread of the transport. For async code such as hooks; a plain `fn` tool already
    /// runs on such a thread.
    ///
    /// Returns `None` if the function panicked or was not run, for instance because the server is shutting down.
    pub async fn run_blocking<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
        running::run_on_host(Box::new(work), &self.call).await.ok()?.ok()
    }

    /// Returns the capabilities of the client.
    pub fn client_capabilities(&self) -> &ClientCapabilities {
        &self.call.client().capabilities
    }

    /// Returns the `_meta` of the request, unchanged.
    pub fn meta(&self) -> Option<&RawValue> {
        serde_json::from_str(self.call.meta.as_deref()?).ok()
    }
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context").field("name", &self.name()).field("id", &self.call.id).finish_non_exhaustive()
    }
}
