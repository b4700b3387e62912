//! Forms that a function shows to users.

use schemars::JsonSchema;

use super::Probe;
use super::described::Spec;

/// A form is checked when the server is built.
pub trait Asks {
    fn __mcp_asks<S: Spec>(&self, spec: S) -> S;
}
impl<T: JsonSchema> Asks for &Probe<T> {
    fn __mcp_asks<S: Spec>(&self, spec: S) -> S {
        spec.with_form::<T>()
    }
}

/// What is no form is told where it is asked.
pub trait AsksImpossible {
    fn __mcp_asks<S: Spec>(&self, spec: S) -> S;
}
impl<T: ?Sized> AsksImpossible for Probe<T> {
    fn __mcp_asks<S: Spec>(&self, spec: S) -> S {
        spec
    }
}
