//! What generated code names. Not part of the public interface.
//!
//! Generated code asks the type system questions by method resolution: `(&&Probe::<T>::NEW).method()` finds the first of
//! several traits whose bounds `T` meets, the one with the most references first. So types decide, not identifiers, and what
//! a type lacks is told once, at the type, by a method that has the missing bound.

mod argument;
mod lent;
mod names;
mod outcome;
mod set;

use std::marker::PhantomData;

pub use core::clone::Clone;
pub use core::convert::Into;
pub use core::default::Default;
pub use core::fmt::Debug;
pub use core::iter::{IntoIterator, Iterator};
pub use core::marker::{Copy, Send, Sync};
pub use core::option::Option::{self, None, Some};
pub use core::prelude::v1::derive;
pub use core::result::Result::{self, Err, Ok};
pub use core::time::Duration;
pub use std::string::String;
pub use std::sync::Arc;
pub use std::vec::Vec;
pub use {schemars, serde};

pub use crate::context::Context;
pub use crate::protocol::Icon;
pub use crate::spec::{TaskSupport, ToolSpec};
pub use crate::tool::{Call, Calling, Tool, Toolset};

pub use argument::{
    Argument, Both, Decodable, Decode, Described, Input, Neither, NoArguments, NoDecode, NoInput, OnlyDescribed, OnlyRead,
    Serialisable, shown,
};
pub use lent::{Borrow, BorrowContext, BorrowNothing, NeedNothing, NeedState, State, context};
pub use names::distinct;
pub use outcome::{Explain, Give, Output, OutputMissing, Slot, Withhold};
pub use set::{Function, method, set, tool};

/// Stands for a type while method resolution finds out what the type can do.
#[allow(missing_debug_implementations, reason = "lives for one expression in generated code")]
pub struct Probe<T: ?Sized>(PhantomData<fn(&T)>);

impl<T: ?Sized> Probe<T> {
    pub const NEW: Probe<T> = Probe(PhantomData);
}

/// Named by code that is compiled with `panic = "abort"`, for the compiler to say this.
#[deprecated(
    note = "with `panic = \"abort\"` a tool that panics ends the whole server: remove it from the profile in Cargo.toml, \
            so that the panic becomes an error that the model can read"
)]
pub const PANIC_IS_ABORT: () = ();
