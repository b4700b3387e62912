//! Borrowed parameters: the context of the call, or a value of the server's state.
//!
//! Autoref specialization selects between the two and an error. `Context` is `Any + Send + Sync` too, so impls of one trait would overlap
//! (error E0119).

use std::any::{Any, type_name};
use std::sync::Arc;

use super::item_spec::ItemSpec;
use super::{Fails, Holds, Never, Probe};
use crate::call::context::Context;

#[diagnostic::on_unimplemented(
    message = "`{T}` cannot be server state",
    label = "no value of this type can be passed to `.state(value)`",
    note = "a borrowed parameter is a value of the server, of a sized type without lifetimes; an argument from the caller is owned, such as `String` or `PathBuf`"
)]
pub trait IsServerState<T: ?Sized, Proof> {}
impl<T: Any> IsServerState<T, Holds> for ServerStateCheck {}
impl<T: Never + ?Sized> IsServerState<T, Fails> for ServerStateCheck {}

/// Implements [`IsServerState`] instead of the type itself. If the type lacked the trait, rustc would suggest another `&`.
#[allow(missing_debug_implementations, reason = "a marker type")]
pub struct ServerStateCheck;

/// Selected for `Context`, which is always available.
pub trait NeedNothing {
    fn __mcp_need<S: ItemSpec>(&self, spec: S) -> S;
}
impl NeedNothing for &&Probe<Context> {
    fn __mcp_need<S: ItemSpec>(&self, spec: S) -> S {
        spec
    }
}

/// Selected for other types: the server must have a value of the type.
pub trait NeedState {
    fn __mcp_need<S: ItemSpec>(&self, spec: S) -> S;
}
impl<T: Any + Send + Sync> NeedState for &Probe<T> {
    fn __mcp_need<S: ItemSpec>(&self, spec: S) -> S {
        spec.with_need::<T>()
    }
}

/// Fallback for types that cannot be state. A type that is not `Send + Sync` is reported where the call starts.
pub trait NeedImpossible {
    type Type: ?Sized;
    fn __mcp_need<S: ItemSpec, Proof>(&self, spec: S) -> S
    where
        ServerStateCheck: IsServerState<Self::Type, Proof>,
    {
        spec
    }
}
impl<T: ?Sized> NeedImpossible for Probe<T> {
    type Type = T;
}

/// Borrows the context.
pub trait BorrowContext {
    fn __mcp_borrow(&self, context: &Context) -> Context;
}
impl BorrowContext for &&Probe<Context> {
    fn __mcp_borrow(&self, context: &Context) -> Context {
        context.clone()
    }
}

/// Borrows a value of the server's state.
pub trait Borrow {
    type Type;
    fn __mcp_borrow(&self, context: &Context) -> Arc<Self::Type>;
}
impl<T: Any + Send + Sync> Borrow for &Probe<T> {
    type Type = T;

    fn __mcp_borrow(&self, context: &Context) -> Arc<T> {
        context
            .state()
            .unwrap_or_else(|| panic!("no state of type `{}`: declare it with `needs` in the spec", type_name::<T>()))
    }
}

/// Fallback for types that cannot be state. `__mcp_need` reports the error.
pub trait BorrowImpossible {
    type Type: ?Sized;
    fn __mcp_borrow(&self, _: &Context) -> Arc<Self::Type>;
}
impl<T: ?Sized> BorrowImpossible for Probe<T> {
    type Type = T;

    fn __mcp_borrow(&self, _: &Context) -> Arc<T> {
        const { super::impossible::<T>("no value of this type can be server state") }
    }
}
