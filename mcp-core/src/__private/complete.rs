//! The functions of `#[complete(function)]`.

use std::future::Future;

use crate::call::context::Context;
use crate::completion::{Completer, Typed};
use crate::tool::future::ToolFuture;

/// A function that completes an argument. `Form` distinguishes the allowed signatures.
#[diagnostic::on_unimplemented(
    message = "this function cannot complete an argument",
    label = "not a completion function",
    note = "a completion function takes `Typed` and optionally `&Context`, and returns a list of texts: `fn cities(typed: Typed) -> Vec<String>`",
    note = "it may be an `async fn`, whose future must be `Send`"
)]
pub trait Complete<Form>: Send + Sync + 'static {
    fn completer(self) -> Completer;
}

/// Returns the value of `#[complete(function)]`.
pub fn completer<Form>(function: impl Complete<Form>) -> Completer {
    function.completer()
}

/// Marks a completion function with the signature `fn(Typed) -> I`.
#[allow(missing_debug_implementations, reason = "a marker type")]
pub struct Plain<I>(I);
impl<F, I> Complete<Plain<I>> for F
where
    F: Fn(Typed) -> I + Clone + Send + Sync + 'static,
    I: IntoIterator<Item: Into<String>>,
{
    fn completer(self) -> Completer {
        Completer::calling(move |typed, _| {
            let function = self.clone();
            ToolFuture::blocking(move || texts(function(typed)))
        })
    }
}

/// Marks a completion function with the signature `fn(Typed, &Context) -> I`.
#[allow(missing_debug_implementations, reason = "a marker type")]
pub struct PlainInContext<I>(I);
impl<F, I> Complete<PlainInContext<I>> for F
where
    F: Fn(Typed, &Context) -> I + Clone + Send + Sync + 'static,
    I: IntoIterator<Item: Into<String>>,
{
    fn completer(self) -> Completer {
        Completer::calling(move |typed, context| {
            let function = self.clone();
            ToolFuture::blocking(move || texts(function(typed, &context)))
        })
    }
}

/// Marks a completion function with the signature `async fn(Typed) -> I`.
#[allow(missing_debug_implementations, reason = "a marker type")]
pub struct Async<A>(A);
impl<F, A> Complete<Async<A>> for F
where
    F: Fn(Typed) -> A + Send + Sync + 'static,
    A: Future<Output: IntoIterator<Item: Into<String>>> + Send + 'static,
{
    fn completer(self) -> Completer {
        Completer::calling(move |typed, _| {
            let suggestions = self(typed);
            ToolFuture::future(async move { texts(suggestions.await) })
        })
    }
}

/// Marks a completion function with the signature `async fn(Typed, &Context) -> I`.
#[allow(missing_debug_implementations, reason = "a marker type")]
pub struct AsyncInContext<I>(I);
impl<F, I> Complete<AsyncInContext<I>> for F
where
    F: for<'a> Borrowing<'a, Suggestions = I> + Clone + Send + Sync + 'static,
    I: IntoIterator<Item: Into<String>> + 'static,
{
    fn completer(self) -> Completer {
        Completer::calling(move |typed, context| {
            let function = self.clone();
            ToolFuture::future(async move { texts(function.begin(typed, &context).await) })
        })
    }
}

/// An `async fn` whose future borrows the context.
pub trait Borrowing<'a> {
    type Suggestions;
    type Future: Future<Output = Self::Suggestions> + Send + 'a;

    fn begin(&self, typed: Typed, context: &'a Context) -> Self::Future;
}
impl<'a, F, A> Borrowing<'a> for F
where
    F: Fn(Typed, &'a Context) -> A,
    A: Future + Send + 'a,
{
    type Suggestions = A::Output;
    type Future = A;

    fn begin(&self, typed: Typed, context: &'a Context) -> A {
        self(typed, context)
    }
}

fn texts(suggestions: impl IntoIterator<Item: Into<String>>) -> Vec<String> {
    suggestions.into_iter().map(Into::into).collect()
}
