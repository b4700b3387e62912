//! What a function is made into: a tool, a prompt or a resource.

use serde::de::DeserializeOwned;

use crate::call::context::Context;
use crate::jsonrpc::RpcError;
use crate::prompt::spec::PromptSpec;
use crate::prompt::{Prompt, PromptCall, PromptOutcome};
use crate::resource::spec::ResourceSpec;
use crate::resource::{ReadCall, ReadOutcome, Resource};
use crate::tool::output::ToolOutput;
use crate::tool::spec::ToolSpec;
use crate::tool::{Call, Tool};

/// A function that is a tool.
#[allow(missing_debug_implementations, reason = "a mark in types")]
pub struct AsTool;

/// A function that is a prompt.
#[allow(missing_debug_implementations, reason = "a mark in types")]
pub struct AsPrompt;

/// A function that is a resource, read at this address.
#[allow(missing_debug_implementations, reason = "lives for one expression in generated code")]
pub struct AsResource(pub(super) Box<str>);

impl AsResource {
    pub fn of(call: &ReadCall<'_>) -> AsResource {
        AsResource(call.uri().into())
    }
}

/// The types that belong to a kind.
pub trait Kind: 'static {
    type Offer: ?Sized;
    type Spec;
    type Call<'a>;
    type Outcome;
}

impl Kind for AsTool {
    type Offer = dyn Tool;
    type Spec = ToolSpec;
    type Call<'a> = Call<'a>;
    type Outcome = ToolOutput;
}

impl Kind for AsPrompt {
    type Offer = dyn Prompt;
    type Spec = PromptSpec;
    type Call<'a> = PromptCall<'a>;
    type Outcome = PromptOutcome;
}

impl Kind for AsResource {
    type Offer = dyn Resource;
    type Spec = ResourceSpec;
    type Call<'a> = ReadCall<'a>;
    type Outcome = ReadOutcome;
}

/// A call of a function, of whatever kind.
pub trait Asked {
    type Outcome;

    /// The arguments, or what the client is told instead of a result.
    fn arguments<T: DeserializeOwned + 'static>(&self) -> Result<T, Self::Outcome>;

    fn into_context(self) -> Context;
}

/// The context of a call whose arguments are read.
pub fn context(call: impl Asked) -> Context {
    call.into_context()
}

macro_rules! asked {
    ($($call:ident => $outcome:ty, $refused:expr;)*) => {$(
        impl Asked for $call<'_> {
            type Outcome = $outcome;

            fn arguments<T: DeserializeOwned + 'static>(&self) -> Result<T, $outcome> {
                self.decode().map_err($refused)
            }

            fn into_context(self) -> Context {
                self.context
            }
        }
    )*};
}

asked! {
    Call => ToolOutput, ToolOutput::from;
    PromptCall => PromptOutcome, |refusal: RpcError| Err(refusal);
    ReadCall => ReadOutcome, |refusal: RpcError| Err(refusal);
}
