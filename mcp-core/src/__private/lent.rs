//! What the server lends to a tool: the call's context, or a value given to the server.

use std::any::{Any, type_name};
use std::sync::Arc;

use super::Probe;
use crate::context::Context;
use crate::spec::ToolSpec;
use crate::tool::Call;

/// What a server can lend: `Builder::state` takes the same.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be lent to a tool by the server",
    label = "this type cannot be given to `state`",
    note = "a borrowed parameter is a value given to the server with `.state(value)`, and all calls share it: it must be `Sized + Send + Sync + 'static`"
)]
pub trait State: Any + Send + Sync {}
impl<T: Any + Send + Sync> State for T {}

/// The context is always there.
pub trait NeedNothing {
    fn __mcp_need(&self, spec: ToolSpec) -> ToolSpec;
}
impl NeedNothing for &Probe<Context> {
    fn __mcp_need(&self, spec: ToolSpec) -> ToolSpec {
        spec
    }
}

/// Anything else must have been given to the server.
pub trait NeedState {
    type Type: ?Sized;
    fn __mcp_need(&self, spec: ToolSpec) -> ToolSpec
    where
        Self::Type: State + Sized;
}
impl<T: ?Sized> NeedState for Probe<T> {
    type Type = T;

    fn __mcp_need(&self, spec: ToolSpec) -> ToolSpec
    where
        T: State + Sized,
    {
        spec.needs::<T>()
    }
}

/// Lends the context.
pub trait BorrowContext {
    fn __mcp_borrow(&self, context: &Context) -> Context;
}
impl BorrowContext for &&Probe<Context> {
    fn __mcp_borrow(&self, context: &Context) -> Context {
        context.clone()
    }
}

/// Lends a value that was given to the server.
pub trait Borrow {
    type Type;
    fn __mcp_borrow(&self, context: &Context) -> Arc<Self::Type>;
}
impl<T: State> Borrow for &Probe<T> {
    type Type = T;

    fn __mcp_borrow(&self, context: &Context) -> Arc<T> {
        context
            .state()
            .unwrap_or_else(|| panic!("no state of type `{}`, and no check when the server was built", type_name::<T>()))
    }
}

/// Stands in for a type that cannot be lent, which `__mcp_need` tells.
pub trait BorrowNothing {
    type Type: ?Sized;
    fn __mcp_borrow(&self, _: &Context) -> Arc<Self::Type> {
        unreachable!("this does not compile")
    }
}
impl<T: ?Sized> BorrowNothing for Probe<T> {
    type Type = T;
}

/// The context of a call whose arguments are read.
pub fn context(call: Call<'_>) -> Context {
    call.context
}
