//! Sends requests with a timeout. Repeats them if the server certainly did not begin them, or requires input of the user.

use std::sync::Arc;
use std::time::Duration;

use mcp_core::protocol::Revision;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use tokio::sync::Notify;
use tokio::time::{Instant, sleep, sleep_until};
use tracing::Instrument as _;

use crate::cache::Cache;
use crate::client::{Client, params};
use crate::connection::{Connection, Request};
use crate::error::{CallError, ConnectError};
use crate::reconnect::Inner;
use crate::transport::Failure;

/// The maximum number of `input_required` results for one request.
const MOST_ROUNDS: usize = 32;

/// The maximum number of questions in one `input_required` result.
const MOST_QUESTIONS: usize = 64;

/// The timeout of a request.
#[derive(Clone, Debug, Default)]
pub(crate) struct Deadline {
    /// The maximum time without a response or a reset.
    pub(crate) after: Option<Duration>,
    /// Wakes the wait for `after`, which then starts again.
    pub(crate) reset: Option<Arc<Notify>>,
    /// The maximum time of the whole request, with or without resets.
    pub(crate) at_most: Option<Duration>,
}

impl Deadline {
    /// Waits until the timeout. Returns the limit that was reached.
    pub(crate) async fn passes(&self) -> Duration {
        let end = self.at_most.map(|limit| (Instant::now() + limit, limit));
        loop {
            let next = self.after.map(|after| (Instant::now() + after, after));
            let Some((until, limit)) = [next, end].into_iter().flatten().min() else {
                return std::future::pending().await;
            };
            let reset = async {
                match &self.reset {
                    Some(reset) => reset.notified().await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                () = sleep_until(until) => return limit,
                () = reset => {}
            }
        }
    }
}

impl Client {
    /// Sends any request and returns its result as JSON: for methods that this crate has no function for.
    ///
    /// # Errors
    /// See [`CallError`].
    pub async fn request(&self, method: &'static str, parameters: Value) -> Result<Value, CallError> {
        let result = self.send(Request::new(method, params(parameters))).await?;
        read(method, &result)
    }

    /// Sends any notification.
    ///
    /// # Errors
    /// If there is no connection, or the connection is lost before the notification is sent.
    pub async fn notify(&self, method: &str, parameters: Value) -> Result<(), CallError> {
        let connection = self.inner().connection().await?;
        connection.notify(method, &parameters).await.map_err(|failure| into_error(method, failure))
    }

    /// Sends a request with the timeout of the client.
    pub(crate) async fn send(&self, request: Request) -> Result<Box<RawValue>, CallError> {
        let deadline = Deadline { after: self.shared().options.timeout, ..Deadline::default() };
        self.send_within(request, &deadline).await
    }

    /// Sends a request, or returns a cached result that has not expired.
    pub(crate) async fn send_within(&self, request: Request, deadline: &Deadline) -> Result<Box<RawValue>, CallError> {
        let cache = self.shared().options.cache.then_some(&self.shared().cache);
        if let Some(fresh) = cache.and_then(|cache| cache.get(request.method, &request.params)) {
            return Ok(fresh);
        }
        let sent = self.shared().cache.generation();
        let span = tracing::info_span!("mcp.client.request", method = request.method, name = request.routing.name);
        let work = async {
            tokio::select! {
                biased;
                result = self.with_input(&request) => result,
                after = deadline.passes() => Err(CallError::Timeout(after)),
            }
        };
        let (result, asked_the_user) = work.instrument(span).await?;
        // Not cached: the user may answer differently next time.
        if let (Some(cache), true) = (cache, Cache::covers(request.method) && !asked_the_user) {
            cache.put(sent, request.method, &request.params, &result);
        }
        Ok(result)
    }

    /// Sends a request, and repeats it with the user's input while the server requires input (2026-07-28).
    ///
    /// Returns the result, and whether the server required input.
    async fn with_input(&self, request: &Request) -> Result<(Box<RawValue>, bool), CallError> {
        let mut request = request.clone();
        for round in 0..MOST_ROUNDS {
            let (revision, result) = self.inner().attempt(&request).await?;
            if !revision.is_some_and(Revision::is_stateless) {
                return Ok((result, false));
            }
            let kind: ResultKind = read(request.method, &result)?;
            match kind.result_type.as_deref() {
                None | Some("complete") => return Ok((result, round > 0)),
                // The caller handles the task.
                Some("task") if request.method == "tools/call" => return Ok((result, round > 0)),
                Some("input_required") if takes_input(request.method) => self.add_input(&mut request, &result).await?,
                Some(other) => {
                    let other: String = other.chars().take(100).collect();
                    return Err(invalid(request.method, format!("unknown `resultType` `{other}`")));
                }
            }
        }
        Err(invalid(request.method, format!("the server asked for input more than {MOST_ROUNDS} times")))
    }

    /// Answers the questions of an `input_required` result, and adds the answers to the request.
    async fn add_input(&self, request: &mut Request, result: &RawValue) -> Result<(), CallError> {
        let required: InputRequired = read(request.method, result)?;
        if required.input_requests.len() > MOST_QUESTIONS {
            return Err(invalid(request.method, format!("the server asks more than {MOST_QUESTIONS} questions at once")));
        }
        request.params.remove("inputResponses");
        request.params.remove("requestState");
        if !required.input_requests.is_empty() {
            let answers = self.answers(request.method, required.input_requests).await?;
            request.params.insert("inputResponses".into(), Value::Object(answers));
        } else if required.request_state.is_none() {
            return Err(invalid(request.method, "`input_required` without questions or state".to_owned()));
        }
        if let Some(state) = required.request_state {
            request.params.insert("requestState".into(), Value::String(state));
        }
        Ok(())
    }

    /// Calls the handler with each question of the server. Returns its answers by key.
    pub(crate) async fn answers(
        &self,
        method: &'static str,
        questions: Map<String, Value>,
    ) -> Result<Map<String, Value>, CallError> {
        let mut answers = Map::new();
        for (key, question) in questions {
            let asked = question["method"].as_str().unwrap_or_default();
            let params = question.get("params").map_or_else(|| "{}".to_owned(), Value::to_string);
            let answer = self.shared().handler.answer(asked, &params).await;
            answers.insert(
                key,
                answer.map_err(|error| invalid(method, format!("cannot answer a question of the server: {error}")))?,
            );
        }
        Ok(answers)
    }
}

impl Inner {
    /// Sends a request, and repeats it if the server certainly did not begin it.
    ///
    /// Returns the revision of the connection and the result.
    pub(crate) async fn attempt(
        self: &Arc<Inner>,
        request: &Request,
    ) -> Result<(Option<Revision>, Box<RawValue>), CallError> {
        let mut failures = 0;
        loop {
            let connection = self.connection().await?;
            let failure = match connection.request(request, connection.revision()).await {
                Ok(result) => return Ok((connection.revision(), result)),
                Err(failure) => failure,
            };
            match &failure {
                Failure::SessionGone | Failure::Lost { begun: false, .. } if self.is_closed() => {
                    return Err(CallError::Closed);
                }
                Failure::SessionGone => connection.lose("the server has forgotten the session"),
                Failure::Lost { begun: false, .. } => {}
                _ => return Err(into_error(request.method, failure)),
            }
            failures += 1;
            let recovery = &self.shared.options.recovery;
            if !self.can_recover() || recovery.gives_up(failures) {
                return Err(into_error(request.method, failure));
            }
            if !connection.is_lost() {
                sleep(recovery.delay(failures)).await;
            }
        }
    }
}

impl Connection {
    /// Sends a request and converts its result to a type.
    pub(crate) async fn ask<T: DeserializeOwned>(&self, request: &Request) -> Result<T, CallError> {
        let result = self.request(request, self.revision()).await;
        read(request.method, &result.map_err(|failure| into_error(request.method, failure))?)
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ResultKind {
    #[serde(default)]
    result_type: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct InputRequired {
    #[serde(default)]
    input_requests: Map<String, Value>,
    #[serde(default)]
    request_state: Option<String>,
}

fn takes_input(method: &str) -> bool {
    matches!(method, "tools/call" | "prompts/get" | "resources/read")
}

/// Reads the result of a request.
pub(crate) fn read<T: DeserializeOwned>(method: &str, result: &RawValue) -> Result<T, CallError> {
    serde_json::from_str(result.get()).map_err(|error| invalid(method, error.to_string()))
}

pub(crate) fn invalid(method: &str, reason: String) -> CallError {
    CallError::Invalid { method: method.to_owned(), reason }
}

pub(crate) fn into_error(method: &str, failure: Failure) -> CallError {
    match failure {
        Failure::Rpc(error) => CallError::Rpc(error),
        Failure::Lost { begun, reason } => CallError::Lost { begun, reason },
        Failure::SessionGone => CallError::Lost { begun: false, reason: failure.to_string() },
        Failure::Invalid(reason) => invalid(method, reason),
        failure => ConnectError::from(failure).into(),
    }
}
