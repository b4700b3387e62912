//! Converts the output of a call into the body of a response, and checks it against the output schema.

use crate::call::state::CallState;
use crate::jsonrpc::{Body, ToolBody};
use crate::server::limits;
use crate::server::list::Entry;
use crate::tool::result::ToolResult;

/// The output of a call.
pub(crate) trait Product: Send + Sized + 'static {
    /// Returns the output for a call that failed with this message.
    fn failure(text: String) -> Self;

    /// Returns whether the call failed.
    fn is_failure(&self) -> bool;

    /// Converts into the body of the response.
    fn into_body(self, call: &CallState) -> Body;
}

impl Product for ToolResult {
    fn failure(text: String) -> ToolResult {
        ToolResult::error(text)
    }

    fn is_failure(&self) -> bool {
        self.is_error
    }

    fn into_body(self, call: &CallState) -> Body {
        let entry = call.tool();
        let limit = entry.spec.max_output.unwrap_or(usize::MAX).min(call.server().limits().output);
        let mut result = checked(entry, self);
        limits::fit(&mut result, limit);
        Body::Tool(ToolBody::new(result, call.revision, entry.wraps_output, call.server()))
    }
}

/// Replaces output that does not match the tool's output schema by an error that names the violations. Clients would reject
/// such output with a less specific message.
fn checked(entry: &Entry, result: ToolResult) -> ToolResult {
    let Some(schema) = entry.spec.output.as_ref().filter(|_| !result.is_error) else {
        return result;
    };
    let outcome = match result.structured.as_deref() {
        Some(structured) => schema.check(structured),
        None => Err("- the result has no structured content".to_owned()),
    };
    match outcome {
        Ok(()) => result,
        Err(violations) => {
            // The violations quote the output, which may be confidential: they are logged only at trace level.
            tracing::error!(
                tool = entry.name(),
                "the output does not match the output schema; the client gets an error with the violations"
            );
            tracing::trace!(tool = entry.name(), %violations, "the output does not match the output schema");
            ToolResult::error(format!("the tool's output does not match its output schema:\n{violations}"))
        }
    }
}
