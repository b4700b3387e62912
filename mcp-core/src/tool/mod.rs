//! Tools and sets of tools.

pub(crate) mod error;
pub(crate) mod future;
pub(crate) mod header_param;
pub(crate) mod name;
pub(crate) mod requirement;
pub(crate) mod result;
pub(crate) mod spec;

use std::future::Future;
use std::sync::Arc;

use serde::de::DeserializeOwned;

use crate::call::context::Context;
use crate::jsonrpc::RawJson;
use crate::tool::future::ToolFuture;
use crate::tool::result::{IntoToolResult, ToolResult};
use crate::tool::spec::ToolSpec;

/// A tool that a model can call.
///
/// `#[tool]` implements this trait for functions and [`tool_fn`] for closures. A server calls it. To implement it by hand:
///
/// ```
/// use mcp_core::dynamic::{Call, ToolFuture, Tool};
/// use mcp_core::{ToolResult, ToolSpec};
///
/// struct Greet;
///
/// impl Tool for Greet {
///     fn spec(&self) -> ToolSpec {
///         ToolSpec::new("greet", "Say hello.")
///     }
///
///     fn call(&self, _: Call<'_>) -> ToolFuture {
///         ToolFuture::future(async { ToolResult::text("hello") })
///     }
/// }
/// ```
pub trait Tool: Send + Sync + 'static {
    /// Returns the description of the tool for clients. Called once, when the server is built.
    fn spec(&self) -> ToolSpec;

    /// Starts a call. Decode the arguments here; the returned future does the work.
    fn call(&self, call: Call<'_>) -> ToolFuture;
}

/// A tool call: the arguments and the context.
#[derive(Debug)]
pub struct Call<'a> {
    pub(crate) arguments: RawJson<'a>,
    pub(crate) context: Context,
}

impl<'a> Call<'a> {
    /// Returns the arguments as the client sent them: a JSON object, not yet validated.
    pub fn arguments(&self) -> RawJson<'a> {
        self.arguments
    }

    /// Returns the call's context.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Validates the arguments against the tool's input schema and decodes them as a `T`.
    ///
    /// # Errors
    /// A result that names each violation with its path and what was expected, so that the model can correct the call.
    pub fn decode<T: DeserializeOwned + 'static>(&self) -> Result<T, ToolResult> {
        self.context.call.tool().input.decode(self.arguments)
    }
}

/// Creates a tool at run time from a closure, without a macro.
///
/// ```
/// use mcp_core::{Context, Server, ToolSpec, tool_fn};
/// use serde_json::{Value, json};
///
/// let words = ["hello", "goodbye"].map(|word| {
///     let schema = json!({"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]});
///     let spec = ToolSpec::new(format!("say_{word}"), format!("Say {word} to somebody.")).input_schema(schema);
///     tool_fn(spec, move |arguments: Value, _: Context| async move { format!("{word}, {}", arguments["name"]) })
/// });
/// let server = Server::builder("words", "1.0.0").tools(words).build()?;
/// # Ok::<(), mcp_core::BuildError>(())
/// ```
pub fn tool_fn<A, F, R>(spec: ToolSpec, function: impl Fn(A, Context) -> F + Send + Sync + 'static) -> Arc<dyn Tool>
where
    A: DeserializeOwned + Send + 'static,
    F: Future<Output = R> + Send + 'static,
    R: IntoToolResult,
{
    Arc::new(FnTool {
        spec,
        call: move |call: Call<'_>| match call.decode::<A>() {
            Ok(arguments) => {
                let future = function(arguments, call.context);
                ToolFuture::future(async move { future.await.into_tool_result() })
            }
            Err(refusal) => ToolFuture::ready(refusal),
        },
    })
}

struct FnTool<F> {
    spec: ToolSpec,
    call: F,
}

impl<F: Fn(Call<'_>) -> ToolFuture + Send + Sync + 'static> Tool for FnTool<F> {
    fn spec(&self) -> ToolSpec {
        self.spec.clone()
    }

    fn call(&self, call: Call<'_>) -> ToolFuture {
        (self.call)(call)
    }
}

/// A set of tools: `tools![..]`, a value whose `impl` block has `#[toolset]`, or a list of tools.
///
/// ```
/// use mcp_core::{Server, Toolset, tool, tools};
///
/// /// Add two numbers.
/// #[tool]
/// fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// let server = Server::builder("calc", "1.0.0").tools(tools![add].prefixed("int_")).build()?;
/// assert_eq!(server.tools().next().unwrap().name(), "int_add");
/// # Ok::<(), mcp_core::BuildError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a set of tools",
    note = "write `tools![add, sub]` for functions with #[tool], or put #[toolset] on the impl block of `{Self}`"
)]
pub trait Toolset: Sized {
    /// Returns the tools in the order in which they are listed.
    fn into_tools(self) -> Vec<Arc<dyn Tool>>;

    /// Returns the tools with `prefix` before each name.
    fn prefixed(self, prefix: &str) -> Vec<Arc<dyn Tool>> {
        let rename = |tool: Arc<dyn Tool>| {
            let spec = tool.spec();
            let name = format!("{prefix}{}", spec.name);
            Arc::new(FnTool { spec: spec.renamed(name), call: move |call: Call<'_>| tool.call(call) }) as Arc<dyn Tool>
        };
        self.into_tools().into_iter().map(rename).collect()
    }
}

impl Toolset for Arc<dyn Tool> {
    fn into_tools(self) -> Vec<Arc<dyn Tool>> {
        vec![self]
    }
}

impl Toolset for Vec<Arc<dyn Tool>> {
    fn into_tools(self) -> Vec<Arc<dyn Tool>> {
        self
    }
}

impl<const N: usize> Toolset for [Arc<dyn Tool>; N] {
    fn into_tools(self) -> Vec<Arc<dyn Tool>> {
        self.into()
    }
}
