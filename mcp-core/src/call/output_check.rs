//! What comes out of a call, on its way into the response.

use crate::call::state::CallState;
use crate::jsonrpc::{Body, ToolBody};
use crate::server::limits;
use crate::server::list::Entry;
use crate::tool::output::{Given, ToolOutput};
use crate::tool::result::ToolResult;

/// What comes out of a call.
pub(crate) trait Product: Send + Sized + 'static {
    /// What the client is told when the code that was called gave nothing.
    fn failure(text: String) -> Self;

    /// Whether it says that the call failed.
    fn is_failure(&self) -> bool;

    /// What goes into the response.
    fn into_body(self, call: &CallState) -> Body;
}

impl Product for ToolOutput {
    fn failure(text: String) -> ToolOutput {
        ToolResult::error(text).into()
    }

    fn is_failure(&self) -> bool {
        self.is_error()
    }

    fn into_body(self, call: &CallState) -> Body {
        let entry = call.tool();
        let limit = entry.spec.max_output.unwrap_or(usize::MAX).min(call.server().limits().output);
        let output = limits::fit(checked(entry, self), limit);
        Body::Tool(ToolBody::new(output, call.revision, entry.wraps_output, call.server()))
    }
}

/// In debug builds, turns output that breaks the tool's own promise into an error: clients would refuse it less plainly.
fn checked(entry: &Entry, output: ToolOutput) -> ToolOutput {
    let Some(schema) = entry.spec.output.as_ref().filter(|_| cfg!(debug_assertions) && !output.is_error()) else {
        return output;
    };
    let structured = match &output.0 {
        Given::Result(result) => result.structured.as_deref(),
        _ => None,
    };
    let outcome = match structured {
        Some(structured) => schema.check(structured),
        None => Err("- there is no structured content".to_owned()),
    };
    match outcome {
        Ok(()) => output,
        Err(violations) => {
            // What is wrong quotes the output, which is nobody's business but the client's.
            tracing::error!(tool = entry.name(), "the output does not match the output schema, and the client is told how");
            tracing::trace!(tool = entry.name(), %violations, "the output does not match the output schema");
            ToolResult::error(format!("the tool's output does not match its output schema:\n{violations}")).into()
        }
    }
}
