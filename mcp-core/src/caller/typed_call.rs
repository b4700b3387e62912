//! A call with the types of the function.

use std::fmt;
use std::future::{Future, IntoFuture};
use std::marker::PhantomData;
use std::pin::Pin;

use serde_json::{Map, Value};

use super::{ArgumentValues, Caller, FromToolResult, ToolCallError};

/// A call of a tool that is not sent yet. Await it for the value that the function returns.
///
/// `C` is the client, `L` the list of arguments, and `R` the return type of the function. What they must implement is checked
/// where the call is awaited, so a tool that cannot be called this way is an error only in code that does it.
#[must_use = "a call is not sent until it is awaited"]
pub struct TypedCall<'c, C: ?Sized, L, R> {
    caller: &'c C,
    tool: &'static str,
    names: &'static [&'static str],
    list: L,
    others: Map<String, Value>,
    returned: PhantomData<fn() -> R>,
}

impl<'c, C: ?Sized, L, R> TypedCall<'c, C, L, R> {
    /// Creates a call. `names` has a name for each argument in `list`.
    #[doc(hidden)]
    pub fn new(caller: &'c C, tool: &'static str, names: &'static [&'static str], list: L) -> TypedCall<'c, C, L, R> {
        TypedCall { caller, tool, names, list, others: Map::new(), returned: PhantomData }
    }

    /// Adds an argument that is not in the list.
    #[doc(hidden)]
    pub fn with(mut self, name: &str, value: impl Into<Option<Value>>) -> TypedCall<'c, C, L, R> {
        self.others.extend(value.into().map(|value| (name.to_owned(), value)));
        self
    }
}

impl<'c, C, L, R> IntoFuture for TypedCall<'c, C, L, R>
where
    C: Caller + ?Sized,
    L: ArgumentValues,
    R: FromToolResult + 'c,
{
    type Output = Result<R::Value, C::Error>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send + 'c>>;

    fn into_future(self) -> Self::IntoFuture {
        let TypedCall { caller, tool, names, list, others: mut arguments, .. } = self;
        let added = list.add_to(names, &mut arguments);
        Box::pin(async move {
            added.map_err(ToolCallError::Convert)?;
            let result = caller.call_tool(tool, arguments).await?;
            if result.is_error {
                return Err(ToolCallError::Tool(Box::new(result)).into());
            }
            R::from_tool_result(result)
                .map_err(|error| ToolCallError::Convert(format!("the result of `{tool}` cannot be read: {error}")).into())
        })
    }
}

impl<C: ?Sized, L, R> fmt::Debug for TypedCall<'_, C, L, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TypedCall").field("tool", &self.tool).field("names", &self.names).finish_non_exhaustive()
    }
}
