//! A call with the types of the function.

use std::fmt;
use std::future::Future;
use std::marker::PhantomData;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use serde_json::{Map, Value};

use super::{ArgumentValues, Caller, FromToolResult, ToolCallError};
use crate::tool::result::ToolResult;

/// A call of a tool. Await it for the value that the function returns. It is sent when it is first polled.
///
/// `C` is the client, `L` the list of arguments, and `R` the return type of the function. What `L` and `R` must implement is checked
/// where the call is awaited, so a tool that cannot be called this way is an error only in code that does it.
#[must_use = "a call is not sent until it is awaited"]
pub struct TypedCall<'c, C: Caller + ?Sized, L, R> {
    caller: &'c C,
    tool: &'static str,
    names: &'static [&'static str],
    /// The arguments, until the call is sent.
    list: Option<L>,
    others: Map<String, Value>,
    running: Option<Running<'c, C::Error>>,
    returned: PhantomData<fn() -> R>,
}

type Running<'c, E> = Pin<Box<dyn Future<Output = Result<ToolResult, E>> + Send + 'c>>;

impl<'c, C: Caller + ?Sized, L, R> TypedCall<'c, C, L, R> {
    /// Creates a call. `names` has a name for each argument in `list`.
    #[doc(hidden)]
    pub fn new(caller: &'c C, tool: &'static str, names: &'static [&'static str], list: L) -> TypedCall<'c, C, L, R> {
        TypedCall { caller, tool, names, list: Some(list), others: Map::new(), running: None, returned: PhantomData }
    }

    /// Adds an argument that is not in the list.
    #[doc(hidden)]
    pub fn with(mut self, name: &str, value: impl Into<Option<Value>>) -> TypedCall<'c, C, L, R> {
        self.others.extend(value.into().map(|value| (name.to_owned(), value)));
        self
    }

    /// Starts the call with these arguments.
    fn start(&self, arguments: Map<String, Value>) -> Running<'c, C::Error> {
        let (caller, tool) = (self.caller, self.tool);
        Box::pin(async move { caller.call_tool(tool, arguments).await })
    }
}

/// No field is pinned by the pin of the call.
impl<C: Caller + ?Sized, L, R> Unpin for TypedCall<'_, C, L, R> {}

impl<C: Caller + ?Sized, L: ArgumentValues, R: FromToolResult> Future for TypedCall<'_, C, L, R> {
    type Output = Result<R::Value, C::Error>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        if let Some(list) = this.list.take() {
            let mut arguments = std::mem::take(&mut this.others);
            list.add_to(this.names, &mut arguments).map_err(ToolCallError::Convert)?;
            this.running = Some(this.start(arguments));
        }
        let running = this.running.as_mut().expect("a call is not polled after it has ended");
        let result = ready!(running.as_mut().poll(cx));
        this.running = None;
        let result = result?;
        if result.is_error {
            return Poll::Ready(Err(ToolCallError::Tool(Box::new(result)).into()));
        }
        Poll::Ready(R::from_tool_result(result).map_err(|error| {
            ToolCallError::Convert(format!("the result of `{}` cannot be read: {error}", this.tool)).into()
        }))
    }
}

impl<C: Caller + ?Sized, L, R> fmt::Debug for TypedCall<'_, C, L, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TypedCall").field("tool", &self.tool).field("names", &self.names).finish_non_exhaustive()
    }
}
