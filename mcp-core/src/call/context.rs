//! What a tool knows of the call it serves, and whom it can tell.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::call::cancellation::Cancellation;
use crate::call::progress::Amount;
use crate::call::state::CallState;
use crate::host::Outgoing;
use crate::jsonrpc::Id;
use crate::jsonrpc::methods;
use crate::protocol::{ClientCapabilities, Implementation, LogLevel, Revision};
use crate::session::principal::Principal;

/// The call that a tool serves: a tool asks for it with a parameter of type `&Context`.
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
pub struct Context(pub(crate) Arc<CallState>, pub(crate) Option<Arc<str>>);

impl Context {
    pub(crate) fn of(call: Arc<CallState>) -> Context {
        Context(call, None)
    }

    /// Tells the client how far the work is. Costs next to nothing when the client did not ask for it.
    ///
    /// Call it as often as you like: values that do not increase are dropped, and at most ten a second go out. Give
    /// [`Amount::UNKNOWN`] for a total that is not known, and an empty message for none.
    pub fn progress(&self, done: impl Into<Amount>, total: impl Into<Amount>, message: impl Into<String>) {
        let message = message.into();
        if let Some(task) = self.0.task() {
            task.note(&message);
        }
        if let Some(mut progress) = self.0.progress() {
            let held = progress.holds();
            let due = progress.report(done.into(), total.into(), message, self.0.session.host.now());
            let newly_held = !held && progress.holds();
            drop(progress);
            self.0.send(due);
            if newly_held {
                // A plain function reports from another thread than the one that sends it later.
                self.0.status.wake();
            }
        }
    }

    /// Sends a log message to the client, where its revision and its level allow it.
    ///
    /// This is for the person in front of the client; what is for you goes to `tracing` as in any program.
    pub fn log(&self, level: LogLevel, data: impl Serialize) {
        #[derive(Serialize)]
        struct Params<'a, D> {
            level: LogLevel,
            logger: &'a str,
            data: D,
            #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
            related: Option<&'a Value>,
        }
        if self.0.log_level.is_some_and(|threshold| level >= threshold) {
            let params = Params { level, logger: self.name(), data, related: self.0.related() };
            self.0.outbox().send(Outgoing::notification(methods::LOG_MESSAGE, &params));
        }
    }

    /// Lets go of the connection that the client waits on, for work that takes long: the client comes back for the answer.
    ///
    /// Does nothing where there is no connection to let go of, or the client does not know how to come back: it does over
    /// HTTP in revision 2025-11-25.
    pub fn release_connection(&self) {
        if self.0.revision.primes_streams() {
            self.0.outbox().release();
        }
    }

    /// Whether the client no longer wants the answer.
    ///
    /// An `async fn` is dropped at its next `.await` when that happens; a plain `fn` that runs long should look here.
    pub fn is_cancelled(&self) -> bool {
        self.0.status.is_stopped()
    }

    /// Is ready when the client no longer wants the answer.
    pub async fn cancelled(&self) {
        self.0.status.token().cancelled().await;
    }

    /// Word of a cancel, to hand to tasks of your own.
    pub fn cancellation(&self) -> Cancellation {
        self.0.status.token()
    }

    /// Tells every client that has subscribed to it that a resource holds something else now.
    pub fn resource_updated(&self, uri: impl Into<String>) {
        self.0.server().resource_updated(uri);
    }

    /// The value of that type given to [`Builder::state`](crate::Builder::state).
    ///
    /// A tool function simply takes a parameter of type `&T`; this is for tools made at run time.
    pub fn state<T: Any + Send + Sync>(&self) -> Option<Arc<T>> {
        self.0.server().state::<T>()
    }

    /// The name of the tool, prompt or resource that is asked for.
    pub fn name(&self) -> &str {
        self.0.name()
    }

    /// The id of the request.
    pub fn request_id(&self) -> &Id {
        &self.0.id
    }

    /// The revision of the protocol that the request is served in.
    pub fn revision(&self) -> Revision {
        self.0.revision
    }

    /// The client's name card, where it gave one.
    pub fn client(&self) -> Option<&Implementation> {
        self.0.client().info.as_ref()
    }

    /// In whose name the call is made, where the transport authenticates its clients.
    pub fn principal(&self) -> Option<&Principal> {
        self.0.details()?.principal.as_ref()
    }

    /// What the client can do for us.
    pub fn client_capabilities(&self) -> &ClientCapabilities {
        &self.0.client().capabilities
    }

    /// The request's `_meta` as it came.
    pub fn meta(&self) -> Option<&RawValue> {
        serde_json::from_str(self.0.details()?.meta.as_deref()?).ok()
    }
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context").field("name", &self.name()).field("id", &self.0.id).finish_non_exhaustive()
    }
}
