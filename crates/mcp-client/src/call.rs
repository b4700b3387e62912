//! Tool calls: options, progress, and the future that waits for the result.

use std::fmt;
use std::future::IntoFuture;
use std::sync::Arc;
use std::time::Duration;

use mcp_core::ToolResult;
use mcp_core::caller::Caller;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tokio::sync::Notify;

use crate::client::Client;
use crate::connection::Request;
use crate::error::CallError;
use crate::event_stream::Feed;
use crate::ongoing::Ongoing;
use crate::pending::OnProgress;
use crate::request::Deadline;
use crate::transport::Boxed;

/// The progress of a call.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct Progress {
    /// The progress so far. It increases with each message.
    pub progress: f64,
    /// The value of `progress` at the end, if it is known.
    #[serde(default)]
    pub total: Option<f64>,
    /// A description of the current step.
    #[serde(default)]
    pub message: Option<String>,
}

/// The parameters of `notifications/progress`.
#[derive(Deserialize)]
pub(crate) struct ProgressParams {
    #[serde(rename = "progressToken")]
    token: Value,
    #[serde(flatten)]
    pub(crate) progress: Progress,
}

impl ProgressParams {
    /// Returns the id of the request that the progress belongs to.
    pub(crate) fn token(&self) -> Option<u64> {
        self.token.as_u64()
    }
}

/// A tool call that is not sent yet. Await it to get the result, or [`start`](Call::start) it to get its progress too.
///
/// Dropping the future cancels the call, on the server too.
///
/// ```
/// use std::time::Duration;
/// use mcp_client::Client;
/// use mcp_core::{server, tool, tools};
/// use serde_json::json;
///
/// /// Add two numbers.
/// #[tool]
/// async fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let client = Client::of(server!().tools(tools![add])).await?;
/// let result = client.call("add", json!({"a": 2, "b": 3})).timeout(Duration::from_secs(10)).await?;
/// assert_eq!(result.to_text(), "5");
/// # Ok(())
/// # }
/// ```
#[must_use = "a call is not sent until it is awaited or started"]
pub struct Call {
    pub(crate) client: Client,
    pub(crate) tool: String,
    pub(crate) arguments: Result<Map<String, Value>, CallError>,
    pub(crate) meta: Map<String, Value>,
    pub(crate) deadline: Deadline,
    pub(crate) progress: Option<OnProgress>,
}

impl Client {
    /// Calls a tool.
    ///
    /// The arguments are an object: `json!({..})`, a map, or a struct that implements `Serialize`. `()` and `null` mean that there
    /// are no arguments.
    ///
    /// # Errors
    /// See [`CallError`]. A tool that fails is not an error here: its result has `is_error`.
    pub fn call(&self, tool: impl Into<String>, arguments: impl Serialize) -> Call {
        Call {
            client: self.clone(),
            tool: tool.into(),
            arguments: object(&arguments),
            meta: Map::new(),
            deadline: Deadline { after: self.shared().options.timeout, ..Deadline::default() },
            progress: None,
        }
    }

    /// Calls a tool and converts its result to a `T`. Uses the structured output if there is one, otherwise the text, which may be
    /// JSON or the text of a string.
    ///
    /// # Errors
    /// See [`CallError`]. [`CallError::Tool`] if the tool fails, [`CallError::Convert`] if its result is not a `T`.
    pub async fn call_as<T: DeserializeOwned>(
        &self,
        tool: impl Into<String>,
        arguments: impl Serialize,
    ) -> Result<T, CallError> {
        let tool = tool.into();
        let result = self.call(tool.clone(), arguments).await?;
        result_as(&tool, result)
    }
}

impl Call {
    /// Sets the timeout of the call. `None` waits without limit.
    pub fn timeout(mut self, timeout: impl Into<Option<Duration>>) -> Call {
        self.deadline.after = timeout.into();
        self
    }

    /// Restarts the timeout with each progress message. `at_most` is the time limit of the whole call.
    pub fn reset_timeout_on_progress(mut self, at_most: impl Into<Option<Duration>>) -> Call {
        let reset = Arc::new(Notify::new());
        (self.deadline.reset, self.deadline.at_most) = (Some(reset.clone()), at_most.into());
        self.on_progress(move |_| reset.notify_one())
    }

    /// Calls a function with each progress message. It must not block.
    pub fn on_progress(mut self, receive: impl Fn(Progress) + Send + Sync + 'static) -> Call {
        let before = self.progress.take();
        self.progress = Some(Arc::new(move |progress: Progress| {
            if let Some(before) = &before {
                before(progress.clone());
            }
            receive(progress);
        }));
        self
    }

    /// Adds an entry to the `_meta` of the request.
    pub fn meta(mut self, key: impl Into<String>, value: impl Into<Value>) -> Call {
        self.meta.insert(key.into(), value.into());
        self
    }

    /// Starts the call. The returned value is a stream of its progress and a future of its result.
    pub fn start(self) -> Ongoing {
        let feed = Feed::default();
        let events = feed.subscribe();
        let call = self.on_progress(move |progress| feed.send(&progress));
        Ongoing::new(call.into_future(), events)
    }

    /// Returns the request, without the members that a task or the revision adds.
    pub(crate) fn to_request(&self) -> Result<Request, CallError> {
        let mut params = Map::new();
        params.insert("name".into(), Value::String(self.tool.clone()));
        params.insert("arguments".into(), Value::Object(self.arguments.clone()?));
        if !self.meta.is_empty() {
            params.insert("_meta".into(), Value::Object(self.meta.clone()));
        }
        let mut request = Request::new("tools/call", params).named(&self.tool);
        request.progress = self.progress.clone();
        Ok(request)
    }
}

impl IntoFuture for Call {
    type Output = Result<ToolResult, CallError>;
    type IntoFuture = Boxed<'static, Result<ToolResult, CallError>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move { self.run().await })
    }
}

/// Converts arguments to an object.
fn object(arguments: &impl Serialize) -> Result<Map<String, Value>, CallError> {
    match serde_json::to_value(arguments) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(Value::Null) => Ok(Map::new()),
        Ok(_) => Err(CallError::Convert("the arguments must be an object with a member for each argument".to_owned())),
        Err(error) => Err(CallError::Convert(format!("the arguments cannot be serialized as JSON: {error}"))),
    }
}

/// Converts the result of a tool to a type.
pub(crate) fn result_as<T: DeserializeOwned>(tool: &str, result: ToolResult) -> Result<T, CallError> {
    if result.is_error {
        return Err(CallError::Tool(Box::new(result)));
    }
    result
        .decode()
        .map_err(|error| CallError::Convert(format!("the result of `{tool}` cannot be read as the requested type: {error}")))
}

/// Calls tools through their functions: `add::on(&client).call(2, 3)`.
impl Caller for Client {
    type Error = CallError;

    async fn call_tool(&self, name: &str, arguments: Map<String, Value>) -> Result<ToolResult, CallError> {
        self.call(name, arguments).await
    }
}

impl fmt::Debug for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call").field("tool", &self.tool).field("deadline", &self.deadline).finish_non_exhaustive()
    }
}
