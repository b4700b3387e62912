//! Calls of a tool through the function that defines it: `add::on(&client).call(2, 3)`.
//!
//! `#[tool]` generates the function `on` for every tool. It takes anything that implements [`Caller`]. `call` has the arguments
//! of the tool and returns a [`TypedCall`], whose result is the value that the function returns.
//!
//! ```
//! use mcp_core::caller::{Caller, ToolCallError};
//! use mcp_core::serde_json::{Map, Value};
//! use mcp_core::{ToolResult, tool};
//!
//! /// Add two numbers.
//! #[tool]
//! fn add(a: i64, b: i64) -> i64 {
//!     a + b
//! }
//!
//! /// Sends nothing: it shows what a client receives.
//! struct Printer;
//!
//! impl Caller for Printer {
//!     type Error = ToolCallError;
//!
//!     async fn call_tool(&self, name: &str, arguments: Map<String, Value>) -> Result<ToolResult, ToolCallError> {
//!         println!("{name} {}", Value::Object(arguments));
//!         Ok(ToolResult::text("5"))
//!     }
//! }
//!
//! # futures_lite::future::block_on(async {
//! assert_eq!(add::on(&Printer).call(2, 3).await?, 5);
//! # Ok::<(), ToolCallError>(())
//! # }).unwrap();
//! ```

mod arguments;
mod error;
mod from_result;
mod typed_call;

use std::future::Future;

use serde_json::{Map, Value};

use crate::tool::result::ToolResult;

#[doc(hidden)]
pub use arguments::{ArgumentValue, ArgumentValues, Flattened, IfGiven, NotNull};
pub use error::ToolCallError;
pub use from_result::FromToolResult;
pub use typed_call::TypedCall;

/// A client that can call tools. Implemented by `mcp_client::Client` and `mcp_test::Client`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot call tools",
    label = "not a client",
    note = "pass a client: `mcp_client::Client`, `mcp_test::Client`, or a type that implements `mcp_core::caller::Caller`"
)]
pub trait Caller: Sync {
    /// The error of a call.
    type Error: From<ToolCallError>;

    /// Calls a tool and returns its result unchanged, also if the tool failed.
    fn call_tool(
        &self,
        name: &str,
        arguments: Map<String, Value>,
    ) -> impl Future<Output = Result<ToolResult, Self::Error>> + Send;

    /// Returns a caller that adds a prefix to the name of each tool, for a server with
    /// [`prefixed`](crate::Toolset::prefixed) tools.
    fn prefixed<'c>(&'c self, prefix: &'c str) -> Prefixed<'c, Self> {
        Prefixed { caller: self, prefix }
    }
}

impl<C: Caller + ?Sized> Caller for &C {
    type Error = C::Error;

    fn call_tool(
        &self,
        name: &str,
        arguments: Map<String, Value>,
    ) -> impl Future<Output = Result<ToolResult, Self::Error>> + Send {
        (**self).call_tool(name, arguments)
    }
}

/// A caller that adds a prefix to the name of each tool. [`Caller::prefixed`] creates it.
#[derive(Debug)]
pub struct Prefixed<'c, C: ?Sized> {
    caller: &'c C,
    prefix: &'c str,
}

impl<C: Caller + ?Sized> Caller for Prefixed<'_, C> {
    type Error = C::Error;

    async fn call_tool(&self, name: &str, arguments: Map<String, Value>) -> Result<ToolResult, Self::Error> {
        self.caller.call_tool(&format!("{}{name}", self.prefix), arguments).await
    }
}
