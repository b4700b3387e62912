//! Items that generated code refers to. Not part of the public API.
//!
//! Generated code selects implementations with autoref specialization: in `(&&Probe::<T>::NEW).method()`, method resolution
//! picks the trait with the most references in its `Self` type whose bounds `T` meets. Selection therefore depends on types,
//! not on identifiers. If `T` meets none of the useful bounds, a fallback trait is picked whose method carries the missing
//! bound, so that the compiler reports exactly one error, at the user's type.

mod argument_default;
mod argument_list;
mod argument_schema;
mod argument_type;
mod complete;
mod decode_list;
mod duplicate_names;
mod held_value;
mod item_kind;
mod item_spec;
mod items;
mod return_type;
mod return_value;
mod server_state;

use std::marker::PhantomData;
use std::mem::needs_drop;

pub use core::clone::Clone;
pub use core::convert::Into;
pub use core::default::Default;
pub use core::fmt::Debug;
pub use core::marker::{Copy, Send, Sync};
pub use core::option::Option::{self, None, Some};
pub use core::prelude::v1::derive;
pub use core::result::Result::{Err, Ok};
pub use core::time::Duration;
pub use serde_json::Value;
pub use std::sync::Arc;
pub use std::vec::Vec;
pub use {schemars, serde};

pub use crate::caller::{Caller, Flattened, IfGiven, NotNull, TypedCall};
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

pub use argument_default::{Defaulted, from_text};
pub use argument_list::{ArgumentInfo, ArgumentList, HasArgumentInfo, WithDefault};
pub use argument_type::NoArguments;
pub use complete::completer;
pub use duplicate_names::distinct;
pub use held_value::HeldValue;
pub use item_kind::{AsPrompt, AsResource, AsTool, context};
pub use items::{Function, ItemSet, PromptFunction, ResourceFunction, item_array, method};
pub use return_value::ReturnValue;

/// Traits that generated code needs in scope: those for autoref specialization, and those of the prelude that derives use.
pub mod dispatch {
    pub use core::convert::Into as _;
    pub use core::iter::{IntoIterator as _, Iterator as _};

    pub use super::argument_default::{Show as _, ShowImpossible as _, ShowUnwritten as _};
    pub use super::argument_type::{
        Both as _, Decode as _, DecodeImpossible as _, Input as _, InputImpossible as _, Neither as _, OnlyDescribed as _,
        OnlyRead as _,
    };
    pub use super::return_type::{
        BadContents as _, BadError as _, BadFile as _, BadJson as _, BadOutput as _, BadPiece as _, BadPrompt as _,
        JsonWithoutSchema as _, JsonWithoutSerialize as _, Output as _,
    };
    pub use super::return_value::{
        Convert as _, ConvertBoxedError as _, ConvertDisplay as _, ConvertImpossible as _, ConvertUnsentError as _,
    };
    pub use super::server_state::{
        Borrow as _, BorrowContext as _, BorrowImpossible as _, NeedImpossible as _, NeedNothing as _, NeedState as _,
    };
}

/// Represents the type `T` in autoref specialization, without a value of it.
#[allow(missing_debug_implementations, reason = "lives for one expression in generated code")]
pub struct Probe<T: ?Sized>(PhantomData<fn(&T)>);

impl<T: ?Sized> Probe<T> {
    pub const NEW: Probe<T> = Probe(PhantomData);
}

/// A trait that no type implements.
///
/// If a trait has a single blanket impl, the compiler reports the unmet bound of that impl, with the message of the foreign
/// trait. A second blanket impl for `T: Never` makes it report the trait itself, with its `on_unimplemented` message.
pub trait Never {}

/// Type parameter of the blanket impl for types that meet the bound.
#[allow(missing_debug_implementations, reason = "a marker type")]
pub struct Holds;

/// Type parameter of the blanket impl for types that are [`Never`].
#[allow(missing_debug_implementations, reason = "a marker type")]
pub struct Fails;

/// Used by `tools![..]` under `panic = "abort"`, so that the compiler prints the deprecation note as a warning.
#[deprecated(
    note = "with `panic = \"abort\"` a tool that panics ends the whole server: remove it from the profile in Cargo.toml, \
            so that the panic becomes an error that the model can read"
)]
pub const PANIC_IS_ABORT: () = ();

/// Fails compilation if a fallback method is instantiated.
///
/// It depends on `T` so that it is evaluated only when the caller is instantiated. A constant that depends on no type
/// parameter would be evaluated when this crate is compiled.
const fn impossible<T: ?Sized>(why: &str) -> ! {
    let _ = needs_drop::<T>();
    panic!("{}", why)
}
