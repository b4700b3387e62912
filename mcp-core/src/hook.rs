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

/// Code around every tool call: it may look, time, refuse, rewrite or answer by itself.
///
/// Any `Fn(HookCall, Next) -> impl Future<Output = ToolResult>` is one. Hooks run in the order in which they were given to
/// [`Builder::hook`](crate::Builder::hook), the first one outermost; one that panics fails only its own call.
///
/// ```
/// use mcp_core::hook::{HookCall, Next};
/// use mcp_core::{Server, ToolResult};
///
/// let server = Server::new("guarded", "1.0.0").hook(|call: HookCall, next: Next| async move {
///     if call.name().starts_with("delete") {
///         return ToolResult::error("deleting is switched off today");
///     }
///     next.run(call).await
/// });
/// # let _ = server;
/// ```
pub trait Hook: Send + Sync + 'static {
    /// Serves the call, in most cases by passing it to `next`.
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

/// A call as a hook sees it: the arguments are raw and not yet validated.
#[derive(Debug)]
pub struct HookCall {
    pub(crate) arguments: Box<RawValue>,
    pub(crate) context: Context,
}

impl HookCall {
    /// The tool's name.
    pub fn name(&self) -> &str {
        self.context.name()
    }

    /// The arguments as they came: a JSON object.
    pub fn arguments(&self) -> &RawValue {
        &self.arguments
    }

    /// Puts other arguments in their place.
    ///
    /// # Errors
    /// When they cannot be written as JSON.
    pub fn set_arguments(&mut self, arguments: &impl Serialize) -> Result<(), serde_json::Error> {
        self.arguments = serde_json::value::to_raw_value(arguments)?;
        Ok(())
    }

    /// Holds the arguments, as they are now, against the tool's schema, without running anything.
    ///
    /// For a hook that must know before it goes on. The tool decodes them again when its turn comes, and has the last word: what
    /// only its type can tell, such as whether an unknown key is an alias, passes here.
    ///
    /// # Errors
    /// What the tool itself would answer: each violation with its path and what was expected.
    pub fn check(&self) -> Result<(), ToolResult> {
        self.context.0.tool().input.check(RawJson::from(&*self.arguments))
    }

    /// The call's context.
    pub fn context(&self) -> &Context {
        &self.context
    }
}

/// The rest of the way: the hooks that follow, then the tool.
pub struct Next {
    hooks: Arc<[Arc<dyn Hook>]>,
    at: usize,
}

impl Next {
    pub(crate) fn first(hooks: Arc<[Arc<dyn Hook>]>) -> Next {
        Next { hooks, at: 0 }
    }

    /// Goes on with the call.
    pub fn run(mut self, call: HookCall) -> BoxFuture<ToolResult> {
        if let Some(hook) = self.hooks.get(self.at).cloned() {
            self.at += 1;
            return hook.call(call, self);
        }
        Box::pin(async move {
            let context = call.context.clone();
            let state = &context.0;
            let calling = state.tool().tool.call(Call { arguments: RawJson::from(&*call.arguments), context: call.context });
            running::finish(calling, state).await
        })
    }
}

impl fmt::Debug for Next {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Next({} of {} hooks to go)", self.hooks.len() - self.at, self.hooks.len())
    }
}
