//! What a tool returned, on its way to becoming a result.

use std::cell::Cell;
use std::error::Error;

use super::Probe;
use crate::result::{IntoToolResult, ToolError, ToolResult};
use crate::spec::ToolSpec;

/// Gives a tool the schema of its output.
pub trait Output {
    fn __mcp_output(&self, spec: ToolSpec) -> ToolSpec;
}
impl<R: IntoToolResult> Output for &Probe<R> {
    fn __mcp_output(&self, spec: ToolSpec) -> ToolSpec {
        spec.output_schema(R::output_schema())
    }
}

/// Says that a type cannot be the result of a tool.
pub trait OutputMissing {
    type Type: ?Sized;
    fn __mcp_output(&self, spec: ToolSpec) -> ToolSpec
    where
        Self::Type: IntoToolResult,
    {
        spec
    }
}
impl<R: ?Sized> OutputMissing for Probe<R> {
    type Type = R;
}

/// Holds a tool's return value while method resolution finds out what kind of value it is.
#[allow(missing_debug_implementations, reason = "lives for one expression in generated code")]
pub struct Slot<R>(Cell<Option<R>>);

impl<R> Slot<R> {
    pub fn new(value: R) -> Slot<R> {
        Slot(Cell::new(Some(value)))
    }

    fn empty(&self) -> R {
        self.0.take().expect("a slot is emptied once")
    }
}

/// An error that may have sources: the model reads the whole chain.
pub trait Explain {
    fn __mcp_result(&self) -> ToolResult;
}
impl<T: IntoToolResult, E: Into<Box<dyn Error + Send + Sync>>> Explain for &&Slot<Result<T, E>> {
    fn __mcp_result(&self) -> ToolResult {
        self.empty().map_err(ToolError::from).into_tool_result()
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
pub trait Withhold {
    fn __mcp_result(&self) -> ToolResult {
        ToolResult::default()
    }
}
impl<R> Withhold for Slot<R> {}
