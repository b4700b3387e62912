//! What generated code names. Not part of the public interface.
//!
//! Generated code asks the type system questions by method resolution: `(&&Probe::<T>::NEW).method()` finds the first of
//! several traits whose bounds `T` meets, the one with the most references first. So types decide, not identifiers, and what
//! a type lacks is told once, at the type, by a method that has the missing bound.

mod argument;
mod complete;
mod described;
mod kind;
mod lent;
mod listed;
mod names;
mod outcome;
mod output;
mod preset;
mod property;
mod read;
mod set;
mod slot;

use std::marker::PhantomData;
use std::mem::needs_drop;

pub use core::clone::Clone;
pub use core::default::Default;
pub use core::fmt::Debug;
pub use core::marker::{Copy, Send, Sync};
pub use core::option::Option::{None, Some};
pub use core::prelude::v1::derive;
pub use core::result::Result::{Err, Ok};
pub use core::time::Duration;
pub use serde_json::Value;
pub use std::sync::Arc;
pub use std::vec::Vec;
pub use {schemars, serde};

pub use crate::prompt::spec::PromptSpec;
pub use crate::prompt::{Prompt, PromptCall, PromptOutcome, Promptset};
pub use crate::protocol::{Icon, Role};
pub use crate::resource::spec::ResourceSpec;
pub use crate::resource::{ReadCall, ReadOutcome, Resource, Resourceset};
pub use crate::task::TaskSupport;
pub use crate::tool::future::ToolFuture;
pub use crate::tool::requirement::Requirement;
pub use crate::tool::spec::ToolSpec;
pub use crate::tool::{Call, Tool, Toolset};

pub use argument::NoArguments;
pub use complete::completer;
pub use kind::{AsPrompt, AsResource, AsTool, context};
pub use listed::{Listed, Named, Names, Or};
pub use names::distinct;
pub use outcome::Returned;
pub use preset::{Preset, from_text};
pub use set::{Function, PromptFunction, ResourceFunction, Shared, method, set};
pub use slot::Slot;

/// The traits that generated code asks by, without their names, and those of the prelude that derived code counts on.
pub mod asking {
    pub use core::convert::Into as _;
    pub use core::iter::{IntoIterator as _, Iterator as _};

    pub use super::argument::{
        Both as _, Decode as _, DecodeImpossible as _, Input as _, InputImpossible as _, Neither as _, OnlyDescribed as _,
        OnlyRead as _,
    };
    pub use super::lent::{
        Borrow as _, BorrowContext as _, BorrowImpossible as _, NeedImpossible as _, NeedNothing as _, NeedState as _,
    };
    pub use super::outcome::{
        Explain as _, ExplainBoxed as _, ExplainShown as _, ExplainUnsent as _, Give as _, GiveImpossible as _,
    };
    pub use super::output::{
        BadContents as _, BadError as _, BadFile as _, BadJson as _, BadOutput as _, BadPiece as _, BadPrompt as _,
        Output as _, PlainOutput as _,
    };
    pub use super::preset::{Show as _, ShowImpossible as _, ShowUnwritten as _};
}

/// Stands for a type while method resolution finds out what the type can do.
#[allow(missing_debug_implementations, reason = "lives for one expression in generated code")]
pub struct Probe<T: ?Sized>(PhantomData<fn(&T)>);

impl<T: ?Sized> Probe<T> {
    pub const NEW: Probe<T> = Probe(PhantomData);
}

/// Implemented for nothing.
///
/// A trait with one blanket impl is reported by what the impl asks for, with the words of somebody else's trait. With a
/// second impl, for what is `Never`, it is reported itself, with the words it has for authors.
pub trait Never {}

/// Marks the impl for types that have what is asked for.
#[allow(missing_debug_implementations, reason = "a mark in types")]
pub struct Proven;

/// Marks the impl for types that are [`Never`].
#[allow(missing_debug_implementations, reason = "a mark in types")]
pub struct Refuted;

/// Named by code that is compiled with `panic = "abort"`, for the compiler to say this.
#[deprecated(
    note = "with `panic = \"abort\"` a tool that panics ends the whole server: remove it from the profile in Cargo.toml, \
            so that the panic becomes an error that the model can read"
)]
pub const PANIC_IS_ABORT: () = ();

/// Ends the build where code that cannot be is generated after all.
///
/// The question about `T` is what makes it wait until then: an optimised build of this crate evaluates beforehand whatever
/// depends on no type.
const fn impossible<T: ?Sized>(why: &str) -> ! {
    let _ = needs_drop::<T>();
    panic!("{}", why)
}
