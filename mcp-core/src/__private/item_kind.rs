//! The kinds of functions: tool, prompt and resource.

use serde::de::DeserializeOwned;

use crate::call::context::Context;
use crate::jsonrpc::RpcError;
use crate::prompt::spec::PromptSpec;
use crate::prompt::{Prompt, PromptCall, PromptOutcome};
use crate::resource::spec::ResourceSpec;
use crate::resource::{ReadCall, ReadOutcome, Resource};
use crate::tool::result::ToolResult;
use crate::tool::spec::ToolSpec;
use crate::tool::{Call, Tool};

/// The kind of functions with `#[tool]`.
#[allow(missing_debug_implementations, reason = "a marker type")]
pub struct AsTool;

/// The kind of functions with `#[prompt]`.
#[allow(missing_debug_implementations, reason = "a marker type")]
pub struct AsPrompt;

/// The kind of functions with `#[resource]`, with the requested URI.
#[allow(missing_debug_implementations, reason = "lives for one expression in generated code")]
pub struct AsResource {
    pub(super) uri: Box<str>,
}

impl AsResource {
    pub fn of(call: &ReadCall<'_>) -> AsResource {
        AsResource { uri: call.uri().into() }
    }
}

/// The associated types of a kind.
pub trait Kind: 'static {
    type Item: ?Sized;
    type Spec;
    type Call<'a>;
    type Outcome;
}

impl Kind for AsTool {
    type Item = dyn Tool;
    type Spec = ToolSpec;
    type Call<'a> = Call<'a>;
    type Outcome = ToolResult;
}

impl Kind for AsPrompt {
    type Item = dyn Prompt;
    type Spec = PromptSpec;
    type Call<'a> = PromptCall<'a>;
    type Outcome = PromptOutcome;
}

impl Kind for AsResource {
    type Item = dyn Resource;
    type Spec = ResourceSpec;
    type Call<'a> = ReadCall<'a>;
    type Outcome = ReadOutcome;
}

/// A call of a tool, prompt or resource.
pub trait ItemCall {
    type Outcome;

    /// Decodes the arguments. The error is the outcome of the call.
    fn arguments<T: DeserializeOwned + 'static>(&self) -> Result<T, Self::Outcome>;

    fn into_context(self) -> Context;
}

/// Returns the context of a call.
pub fn context(call: impl ItemCall) -> Context {
    call.into_context()
}

macro_rules! impl_item_call {
    ($($call:ident => $outcome:ty, $refused:expr;)*) => {$(
        impl ItemCall for $call<'_> {
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

impl_item_call! {
    Call => ToolResult, |refusal: ToolResult| refusal;
    PromptCall => PromptOutcome, |refusal: RpcError| Err(refusal);
    ReadCall => ReadOutcome, |refusal: RpcError| Err(refusal);
}
