//! Completion: suggestions for the arguments of prompts and the variables of resource templates.

use std::collections::BTreeMap;
use std::fmt;
use std::future::Future;
use std::sync::Arc;

use crate::call::context::Context;
use crate::tool::future::ToolFuture;

/// The maximum number of suggestions in one response, as set by the protocol.
pub(crate) const MAX_SUGGESTIONS: usize = 100;

/// The text that a user has typed into an argument, and the arguments that are already filled in.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Typed {
    /// The text typed so far.
    pub value: String,
    /// The other arguments that are already filled in, by name.
    pub arguments: BTreeMap<String, String>,
}

/// Suggests values for an argument, based on the text typed so far.
///
/// Arguments whose type is an enum are completed automatically. Use a `Completer` for all others.
///
/// ```
/// use mcp_core::completion::{Completer, Typed};
/// use mcp_core::Context;
///
/// let cities = ["Berlin", "Bern", "Paris"];
/// let completer = Completer::new(move |typed: Typed, _: Context| async move {
///     cities.into_iter().filter(|city| city.starts_with(&typed.value)).map(str::to_owned).collect()
/// });
/// # let _ = completer;
/// ```
#[derive(Clone)]
pub struct Completer(Arc<dyn Fn(Typed, Context) -> ToolFuture<Vec<String>> + Send + Sync>);

impl Completer {
    /// Creates a completer that returns the suggestions of an async function.
    pub fn new<F>(function: impl Fn(Typed, Context) -> F + Send + Sync + 'static) -> Completer
    where
        F: Future<Output = Vec<String>> + Send + 'static,
    {
        Completer::calling(move |typed, context| ToolFuture::future(function(typed, context)))
    }

    /// Creates a completer from a function that returns a [`ToolFuture`].
    pub(crate) fn calling(
        function: impl Fn(Typed, Context) -> ToolFuture<Vec<String>> + Send + Sync + 'static,
    ) -> Completer {
        Completer(Arc::new(function))
    }

    /// Creates a completer for a fixed list: it suggests the values that start with the typed text, ignoring case.
    pub fn one_of(values: impl IntoIterator<Item = impl Into<String>>) -> Completer {
        let values: Arc<[String]> = values.into_iter().map(Into::into).collect();
        Completer::calling(move |typed, _| {
            let typed = typed.value.to_lowercase();
            ToolFuture::ready(values.iter().filter(|value| value.to_lowercase().starts_with(&typed)).cloned().collect())
        })
    }

    /// Creates a completer for these choices. `None` if there are none.
    pub(crate) fn among(choices: Vec<&str>) -> Option<Completer> {
        (!choices.is_empty()).then(|| Completer::one_of(choices))
    }

    pub(crate) fn suggest(&self, typed: Typed, context: Context) -> ToolFuture<Vec<String>> {
        (self.0)(typed, context)
    }
}

impl fmt::Debug for Completer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Completer")
    }
}
