//! Traits that generated code implements for functions and methods.

use std::sync::Arc;

use super::item_kind::{AsPrompt, AsResource, AsTool, Kind};
use crate::prompt::spec::PromptSpec;
use crate::prompt::{Prompt, PromptCall, PromptOutcome, Promptset};
use crate::resource::spec::ResourceSpec;
use crate::resource::{ReadCall, ReadOutcome, Resource, Resourceset};
use crate::tool::future::ToolFuture;
use crate::tool::spec::ToolSpec;
use crate::tool::{Call, Tool, Toolset};

/// Implemented by the type that `#[tool]` generates for a function.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a function with #[tool]",
    label = "not a tool",
    note = "`tools![..]` takes functions with #[tool]; pass a value whose impl block has #[toolset] to `.tools(value)` directly"
)]
pub trait Function: Tool {
    const NAME: &'static str;

    /// Returns the item in `tools![..]`.
    fn item() -> Arc<dyn Tool>;
}

/// Implemented by the type that `#[prompt]` generates for a function.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a function with #[prompt]",
    label = "not a prompt",
    note = "`prompts![..]` takes functions with #[prompt]; pass a value whose impl block has #[toolset] to `.prompts(value)` directly"
)]
pub trait PromptFunction: Prompt {
    const NAME: &'static str;

    /// Returns the item in `prompts![..]`.
    fn item() -> Arc<dyn Prompt>;
}

/// Implemented by the type that `#[resource]` generates for a function.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a function with #[resource]",
    label = "not a resource",
    note = "`resources![..]` takes functions with #[resource]; pass a value whose impl block has #[toolset] to `.resources(value)` directly"
)]
pub trait ResourceFunction: Resource {
    /// The URI, which must be unique.
    const NAME: &'static str;

    /// Returns the item in `resources![..]`.
    fn item() -> Arc<dyn Resource>;
}

/// Returns the value of `tools![..]`, `prompts![..]` or `resources![..]`.
pub fn item_array<T: ?Sized, const N: usize>(items: [Arc<T>; N]) -> [Arc<T>; N] {
    items
}

/// Implemented by types whose impl block has `#[toolset]`, for each kind of its methods.
pub trait ItemSet<K: Kind>: Sized {
    fn items(owner: Arc<Self>) -> Vec<Arc<K::Item>>;
}

/// A set that the program shares with the server.
impl<S: ItemSet<AsTool>> Toolset for Arc<S> {
    fn into_tools(self) -> Vec<Arc<dyn Tool>> {
        S::items(self)
    }
}

/// A set that the program shares with the server.
impl<S: ItemSet<AsPrompt>> Promptset for Arc<S> {
    fn into_prompts(self) -> Vec<Arc<dyn Prompt>> {
        S::items(self)
    }
}

/// A set that the program shares with the server.
impl<S: ItemSet<AsResource>> Resourceset for Arc<S> {
    fn into_resources(self) -> Vec<Arc<dyn Resource>> {
        S::items(self)
    }
}

/// Returns a method of an impl block with `#[toolset]`.
pub fn method<K: Kind, S: Send + Sync + 'static>(
    owner: &Arc<S>,
    spec: fn() -> K::Spec,
    call: fn(&Arc<S>, K::Call<'_>) -> ToolFuture<K::Outcome>,
) -> Arc<Method<K, S>> {
    Arc::new(Method { owner: owner.clone(), spec, call })
}

#[allow(missing_debug_implementations, reason = "known as a tool, prompt or resource only")]
pub struct Method<K: Kind, S> {
    owner: Arc<S>,
    spec: fn() -> K::Spec,
    call: fn(&Arc<S>, K::Call<'_>) -> ToolFuture<K::Outcome>,
}

impl<S: Send + Sync + 'static> Tool for Method<AsTool, S> {
    fn spec(&self) -> ToolSpec {
        (self.spec)()
    }

    fn call(&self, call: Call<'_>) -> ToolFuture {
        (self.call)(&self.owner, call)
    }
}

impl<S: Send + Sync + 'static> Prompt for Method<AsPrompt, S> {
    fn spec(&self) -> PromptSpec {
        (self.spec)()
    }

    fn get(&self, call: PromptCall<'_>) -> ToolFuture<PromptOutcome> {
        (self.call)(&self.owner, call)
    }
}

impl<S: Send + Sync + 'static> Resource for Method<AsResource, S> {
    fn spec(&self) -> ResourceSpec {
        (self.spec)()
    }

    fn read(&self, call: ReadCall<'_>) -> ToolFuture<ReadOutcome> {
        (self.call)(&self.owner, call)
    }
}
