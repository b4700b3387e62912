//! Hooks: code that runs around every tool call.

use std::fmt;
use std::future::Future;
use std::sync::Arc;

use serde::Serialize;
use serde_json::value::RawValue;

use crate::call::context::Context;
use crate::call::running;
use crate::host::BoxFuture;
use crate::jsonrpc::RawJson;
use crate::tool::Call;
use crate::tool::result::ToolResult;

/// Code that runs around every tool call. It can observe or time the call, reject it, change its arguments or its result.
///
/// Implemented for every `Fn(HookCall, Next) -> impl Future<Output = ToolResult>`. Hooks run in the order in which they were
/// passed to [`Builder::hook`](crate::Builder::hook); the first one is the outermost. A hook that panics fails only its call.
///
/// ```
/// use mcp_core::hook::{HookCall, Next};
/// use mcp_core::{Server, ToolResult};
///
/// let server = Server::builder("guarded", "1.0.0").hook(|call: HookCall, next: Next| async move {
///     if call.name().starts_with("delete") {
///         return ToolResult::error("deleting is switched off today");
///     }
///     next.run(call).await
/// });
/// # let _ = server;
/// ```
pub trait Hook: Send + Sync + 'static {
    /// Handles the call, in most cases by passing it to [`Next::run`].
    fn call(&self, call: HookCall, next: Next) -> BoxFuture<ToolResult>;
}

impl<H, F> Hook for H
where
    H: Fn(HookCall, Next) -> F + Send + Sync + 'static,
    F: Future<Output = ToolResult> + Send + 'static,
{
    fn call(&self, call: HookCall, next: Next) -> BoxFuture<ToolResult> {
        Box::pin(self(call, next))
    }
}

/// A tool call as a hook receives it. The arguments are not yet validated.
#[derive(Debug)]
pub struct HookCall {
    pub(crate) arguments: Box<RawValue>,
    pub(crate) context: Context,
}

impl HookCall {
    /// Returns the name of the called tool.
    pub fn name(&self) -> &str {
        self.context.name()
    }

    /// Returns the arguments: a JSON object, as the client sent it or as an outer hook has set it.
    pub fn arguments(&self) -> &RawValue {
        &self.arguments
    }

    /// Replaces the arguments.
    ///
    /// # Errors
    /// If the new arguments cannot be serialized as JSON.
    pub fn set_arguments(&mut self, arguments: &impl Serialize) -> Result<(), serde_json::Error> {
        self.arguments = serde_json::value::to_raw_value(arguments)?;
        Ok(())
    }

    /// Validates the current arguments against the tool's input schema, without running the tool.
    ///
    /// The tool validates and decodes the arguments again when it runs. Its check is stricter: an undeclared key may be a serde
    /// alias, which only the argument type knows, so this method accepts it.
    ///
    /// # Errors
    /// The result that the tool itself would return: each violation with its path and what was expected.
    pub fn check(&self) -> Result<(), ToolResult> {
        self.context.call.tool().input.check(RawJson::from(&*self.arguments))
    }

    /// Returns the call's context.
    pub fn context(&self) -> &Context {
        &self.context
    }
}

/// The remaining hooks, followed by the tool.
pub struct Next {
    hooks: Arc<[Arc<dyn Hook>]>,
    at: usize,
}

impl Next {
    pub(crate) fn first(hooks: Arc<[Arc<dyn Hook>]>) -> Next {
        Next { hooks, at: 0 }
    }

    /// Runs the remaining hooks and the tool.
    pub fn run(mut self, call: HookCall) -> BoxFuture<ToolResult> {
        if let Some(hook) = self.hooks.get(self.at).cloned() {
            self.at += 1;
            return hook.call(call, self);
        }
        Box::pin(async move {
            let context = call.context.clone();
            let state = &context.call;
            let calling = state.tool().tool.call(Call { arguments: RawJson::from(&*call.arguments), context: call.context });
            running::finish(calling, state).await
        })
    }
}

impl fmt::Debug for Next {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Next({} of {} hooks remaining)", self.hooks.len() - self.at, self.hooks.len())
    }
}
