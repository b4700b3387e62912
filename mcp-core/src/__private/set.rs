//! Functions and methods as tools.

use std::sync::Arc;

use crate::spec::ToolSpec;
use crate::tool::{Call, Tool, Toolset};
use crate::work::Calling;

/// The type that `#[tool]` puts beside a function.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a function with #[tool]",
    label = "not a tool",
    note = "`tools![..]` takes functions with #[tool]; give a value whose impl block has #[toolset] to `.tools(value)` by itself"
)]
pub trait Function: Tool + Default {
    const NAME: &'static str;

    /// One of `tools![..]`.
    fn tool() -> Arc<dyn Tool> {
        Arc::new(Self::default())
    }
}

/// All of `tools![..]`.
pub fn set<const N: usize>(tools: [Arc<dyn Tool>; N]) -> [Arc<dyn Tool>; N] {
    tools
}

/// A type whose impl block has `#[toolset]`.
pub trait Shared: Sized {
    fn tools(owner: Arc<Self>) -> Vec<Arc<dyn Tool>>;
}

/// The same set, of which somebody else has a share.
impl<S: Shared> Toolset for Arc<S> {
    fn into_tools(self) -> Vec<Arc<dyn Tool>> {
        S::tools(self)
    }
}

/// A method of an impl block with `#[toolset]`.
pub fn method<S: Send + Sync + 'static>(
    owner: &Arc<S>,
    spec: fn() -> ToolSpec,
    call: fn(&Arc<S>, Call<'_>) -> Calling,
) -> Arc<dyn Tool> {
    Arc::new(Method { owner: owner.clone(), spec, call })
}

struct Method<S> {
    owner: Arc<S>,
    spec: fn() -> ToolSpec,
    call: fn(&Arc<S>, Call<'_>) -> Calling,
}

impl<S: Send + Sync + 'static> Tool for Method<S> {
    fn spec(&self) -> ToolSpec {
        (self.spec)()
    }

    fn call(&self, call: Call<'_>) -> Calling {
        (self.call)(&self.owner, call)
    }
}
