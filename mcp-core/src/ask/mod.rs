//! Requests from a tool to its client: elicitation, sampling and roots.
//!
//! A tool uses the same method in every revision. In revisions with a handshake it sends a request to the client and waits
//! for the response. In 2026-07-28 the call ends with `input_required`. The client collects the answers and calls again,
//! the tool runs again from its start, and the same method then returns the answer.

mod elicit;
mod form;
mod roots;
mod sample;
pub(crate) mod seal;
mod stateless_questions;

use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::value::RawValue;
use serde_json::{Value, json};
use tokio::sync::oneshot;

use crate::call::context::Context;
use crate::call::state::CallState;
use crate::host::Outgoing;
use crate::jsonrpc::methods;
use crate::jsonrpc::{Answer, Id, RpcError};

pub use elicit::Elicited;
pub(crate) use form::Form;
pub use roots::Root;
pub use sample::{Sampled, Sampling};
pub(crate) use stateless_questions::Parked;

/// An error of a request to the client. A user who declines is not an error: see [`Elicited`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum AskError {
    /// The client does not have the required capability.
    Unsupported {
        /// The missing capability, such as `elicitation`.
        capability: &'static str,
    },
    /// The client responded with an error.
    Refused(RpcError),
    /// The question is invalid, for example a form that is not flat.
    Question(String),
    /// The answer of the client is invalid.
    Answer(String),
    /// The client disconnected.
    Gone,
}

impl fmt::Display for AskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AskError::Unsupported { capability } => write!(f, "the client does not support the capability `{capability}`"),
            AskError::Refused(error) => write!(f, "the client responded with an error: {error}"),
            AskError::Question(reason) => write!(f, "invalid question: {reason}"),
            AskError::Answer(reason) => write!(f, "invalid answer of the client: {reason}"),
            AskError::Gone => f.write_str("the client disconnected"),
        }
    }
}

impl std::error::Error for AskError {}

/// The receivers of pending answers, by request id.
type Open = HashMap<Id, oneshot::Sender<Result<Box<RawValue>, RpcError>>>;

/// The pending requests of a session to its client.
#[derive(Debug, Default)]
pub(crate) struct Questions {
    count: AtomicI64,
    open: Mutex<Open>,
}

impl Questions {
    /// Passes a response to the call that waits for it. A response with an unknown id is dropped.
    pub(crate) fn answer(&self, answer: &Answer<'_>) {
        let Some(waiting) = answer.id.as_ref().and_then(|id| self.open().remove(id)) else {
            return;
        };
        let result = match answer.result {
            Ok(result) => Ok(result.to_boxed()),
            Err(error) => Err(serde_json::from_str(error.get())
                .unwrap_or_else(|_| RpcError::invalid_request("the client's error object is invalid"))),
        };
        // Fails if the call that asked was cancelled, which is fine.
        let _ = waiting.send(result);
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A pending request to the client. Dropping it before the response sends `notifications/cancelled`.
struct Question<'a> {
    call: &'a CallState,
    id: Id,
}

impl Drop for Question<'_> {
    fn drop(&mut self) {
        let session = &self.call.session;
        if session.questions.open().remove(&self.id).is_some() {
            let id: Value = serde_json::from_str(&self.id.as_json()).unwrap_or_default();
            self.call.outbox().send(Outgoing::notification(methods::CANCELLED, &json!({"requestId": id})));
        }
    }
}

impl Context {
    /// Returns a context whose next question has this key in the `inputRequests` that a stateless client receives.
    ///
    /// Without this, the key is generated from the question. A fixed key helps clients that know the tool, and keeps an answer
    /// valid if the text of the question changes between two runs.
    ///
    /// ```
    /// # use mcp_core::ask::Root;
    /// # use mcp_core::{AskError, Context, tool};
    /// /// Count the user's folders.
    /// #[tool]
    /// async fn count(cx: &Context) -> Result<usize, AskError> {
    ///     Ok(cx.keyed("folders").roots().await?.len())
    /// }
    /// ```
    #[must_use]
    pub fn keyed(&self, key: impl Into<Arc<str>>) -> Context {
        Context { call: self.call.clone(), question_key: Some(key.into()) }
    }

    /// Records a missing capability and returns the error. If the call fails, the response names the capability.
    fn cannot(&self, capability: &'static str) -> AskError {
        self.call.parked().missing = Some(capability);
        AskError::Unsupported { capability }
    }

    /// Asks the client, by a request or by an `input_required` result, depending on the revision.
    async fn ask(&self, method: &'static str, params: Value) -> Result<Box<RawValue>, AskError> {
        if self.call.revision.is_stateless() {
            self.call.ask_by_result(self.question_key.as_deref(), method, params).await
        } else {
            self.ask_by_request(method, params).await
        }
    }

    async fn ask_by_request(&self, method: &'static str, params: Value) -> Result<Box<RawValue>, AskError> {
        let questions = &self.call.session.questions;
        let params = self.call.with_related(params);
        let (sender, receiver) = oneshot::channel();
        let question = Question { call: &self.call, id: Id::from(questions.count.fetch_add(1, Ordering::Relaxed)) };
        questions.open().insert(question.id.clone(), sender);
        let message = Outgoing::request(&question.id, method, &params);
        let Some(task) = self.call.task() else {
            self.call.outbox().send(message);
            return answered(receiver.await);
        };
        // A task has no stream of its own: its requests are sent on the streams of `tasks/result` requests.
        let held = task.hold(question.id.clone(), message).await?;
        let answer = answered(receiver.await);
        drop(held);
        task.resume().await;
        answer
    }
}

fn answered(answer: Result<Result<Box<RawValue>, RpcError>, oneshot::error::RecvError>) -> Result<Box<RawValue>, AskError> {
    answer.map_err(|_| AskError::Gone)?.map_err(AskError::Refused)
}

/// Decodes an answer.
fn read<T: serde::de::DeserializeOwned>(answer: &RawValue) -> Result<T, AskError> {
    serde_json::from_str(answer.get()).map_err(|error| AskError::Answer(error.to_string()))
}
