//! What a tool returned, on its way to becoming a result.

use std::cell::Cell;
use std::error::Error;

use crate::result::{Chain, IntoToolResult, ToolError, ToolResult};

/// Holds a tool's return value while method resolution finds out what kind of value it is.
#[allow(missing_debug_implementations, reason = "lives for one expression in generated code")]
pub struct Slot<R>(Cell<Option<R>>);

impl<R> Slot<R> {
    pub fn new(value: R) -> Slot<R> {
        Slot(Cell::new(Some(value)))
    }

    pub(super) fn empty(&self) -> R {
        self.0.take().expect("a slot is emptied once")
    }
}

/// An error that may have sources, or becomes one that has: the model reads the whole chain.
pub trait Explain {
    fn __mcp_result(&self) -> ToolResult;
}
impl<T: IntoToolResult, E: Into<Box<dyn Error + Send + Sync>>> Explain for &&&&Slot<Result<T, E>> {
    fn __mcp_result(&self) -> ToolResult {
        self.empty().map_err(ToolError::from).into_tool_result()
    }
}

/// An error that stays on its thread.
pub trait ExplainUnsent {
    fn __mcp_result(&self) -> ToolResult;
}
impl<T: IntoToolResult, E: Error> ExplainUnsent for &&&Slot<Result<T, E>> {
    fn __mcp_result(&self) -> ToolResult {
        self.empty().map_err(|error| Chain(&error).to_string()).into_tool_result()
    }
}

/// A boxed error that stays on its thread, which is no error itself.
pub trait ExplainBoxed {
    fn __mcp_result(&self) -> ToolResult;
}
impl<T: IntoToolResult> ExplainBoxed for &&Slot<Result<T, Box<dyn Error>>> {
    fn __mcp_result(&self) -> ToolResult {
        self.empty().map_err(|error| Chain(&*error).to_string()).into_tool_result()
    }
}
impl<T: IntoToolResult> ExplainBoxed for &&Slot<Result<T, Box<dyn Error + Send>>> {
    fn __mcp_result(&self) -> ToolResult {
        self.empty().map_err(|error| Chain(&*error).to_string()).into_tool_result()
    }
}

/// Anything else that can be a result.
pub trait Give {
    fn __mcp_result(&self) -> ToolResult;
}
impl<R: IntoToolResult> Give for &Slot<R> {
    fn __mcp_result(&self) -> ToolResult {
        self.empty().into_tool_result()
    }
}

/// Stands in for what cannot be a result, which `__mcp_output` tells.
pub trait GiveImpossible {
    fn __mcp_result(&self) -> ToolResult;
}
impl<R> GiveImpossible for Slot<R> {
    fn __mcp_result(&self) -> ToolResult {
        const { super::impossible::<R>("this cannot be the result of a tool") }
    }
}
