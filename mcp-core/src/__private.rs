//! What generated code names. Not part of the public interface.

use std::any::Any;
use std::cell::Cell;
use std::error::Error;
use std::sync::Arc;

pub use schemars;
pub use serde;

use crate::context::Context;
use crate::result::ToolError;

/// Holds a tool's return value while method resolution finds out what kind of error it may hold.
///
/// `Slot::new(value).explain()` turns an error that has sources into one whose text tells them all; anything else comes back
/// as it is. The first needs [`Explain`], the second [`Keep`], which is reached by one more reference and so comes second.
#[allow(missing_debug_implementations, reason = "lives for one expression in generated code")]
pub struct Slot<R>(Cell<Option<R>>);

impl<R> Slot<R> {
    pub fn new(value: R) -> Slot<R> {
        Slot(Cell::new(Some(value)))
    }
}

pub trait Explain {
    type Output;

    fn explain(self) -> Self::Output;
}

impl<T, E: Into<Box<dyn Error + Send + Sync>>> Explain for Slot<Result<T, E>> {
    type Output = Result<T, ToolError>;

    fn explain(self) -> Self::Output {
        self.0.into_inner().expect("a slot is emptied once").map_err(ToolError::from)
    }
}

pub trait Keep {
    type Output;

    fn explain(self) -> Self::Output;
}

impl<R> Keep for &Slot<R> {
    type Output = R;

    fn explain(self) -> R {
        self.0.take().expect("a slot is emptied once")
    }
}

/// The server's value of that type; that there is one was checked when the server was built.
pub fn state<T: Any + Send + Sync>(context: &Context) -> Arc<T> {
    context.state().unwrap_or_else(|| panic!("no state of type `{}`", std::any::type_name::<T>()))
}
