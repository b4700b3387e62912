//! What the server lends to a function: the call's context, or a value given to the server.

use std::any::{Any, type_name};
use std::sync::Arc;

use super::described::Spec;
use super::{Never, Probe, Proven, Refuted};
use crate::call::context::Context;

#[diagnostic::on_unimplemented(
    message = "`{T}` cannot be lent by the server",
    label = "no value of this type can be given to `.state(value)`",
    note = "a borrowed parameter is the server's, of a sized type without lifetimes; an argument from the caller is owned, such as `String` or `PathBuf`"
)]
pub trait Lends<T: ?Sized, Proof> {}
impl<T: Any> Lends<T, Proven> for Lender {}
impl<T: Never + ?Sized> Lends<T, Refuted> for Lender {}

/// Whoever lends. Were it the type itself that lacks a trait, rustc would suggest to borrow it once more.
#[allow(missing_debug_implementations, reason = "a mark in types")]
pub struct Lender;

/// The context is always there.
pub trait NeedNothing {
    fn __mcp_need<S: Spec>(&self, spec: S) -> S;
}
impl NeedNothing for &&Probe<Context> {
    fn __mcp_need<S: Spec>(&self, spec: S) -> S {
        spec
    }
}

/// Anything else must have been given to the server.
pub trait NeedState {
    fn __mcp_need<S: Spec>(&self, spec: S) -> S;
}
impl<T: Any + Send + Sync> NeedState for &Probe<T> {
    fn __mcp_need<S: Spec>(&self, spec: S) -> S {
        spec.with_need::<T>()
    }
}

/// Says what cannot be given to a server. That threads cannot share it is told where the call begins.
pub trait NeedImpossible {
    type Type: ?Sized;
    fn __mcp_need<S: Spec, Proof>(&self, spec: S) -> S
    where
        Lender: Lends<Self::Type, Proof>,
    {
        spec
    }
}
impl<T: ?Sized> NeedImpossible for Probe<T> {
    type Type = T;
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
impl<T: Any + Send + Sync> Borrow for &Probe<T> {
    type Type = T;

    fn __mcp_borrow(&self, context: &Context) -> Arc<T> {
        context
            .state()
            .unwrap_or_else(|| panic!("no state of type `{}`, and no check when the server was built", type_name::<T>()))
    }
}

/// Stands in for a type that cannot be lent, of which another error tells.
pub trait BorrowImpossible {
    type Type: ?Sized;
    fn __mcp_borrow(&self, _: &Context) -> Arc<Self::Type>;
}
impl<T: ?Sized> BorrowImpossible for Probe<T> {
    type Type = T;

    fn __mcp_borrow(&self, _: &Context) -> Arc<T> {
        const { super::impossible::<T>("no value of this type can be lent") }
    }
}
