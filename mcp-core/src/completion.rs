//! Completion: suggestions for the arguments of prompts and the variables of resource templates.

use std::collections::BTreeMap;
use std::fmt;
use std::future::Future;
use std::sync::Arc;

use crate::call::context::Context;
use crate::tool::future::ToolFuture;

/// The most suggestions that fit into one answer.
pub(crate) const MOST: usize = 100;

/// What a user has typed so far, and what is known already.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Typed {
    /// What was typed into the argument.
    pub value: String,
    /// The other arguments that are filled in.
    pub arguments: BTreeMap<String, String>,
}

/// Suggests how what was typed may go on.
///
/// Arguments whose type is an enum complete by themselves; this is for everything else.
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
    /// Suggests what this function finds.
    pub fn new<F>(function: impl Fn(Typed, Context) -> F + Send + Sync + 'static) -> Completer
    where
        F: Future<Output = Vec<String>> + Send + 'static,
    {
        Completer::calling(move |typed, context| ToolFuture::future(function(typed, context)))
    }

    /// Suggests what comes out of this work.
    pub(crate) fn calling(
        function: impl Fn(Typed, Context) -> ToolFuture<Vec<String>> + Send + Sync + 'static,
    ) -> Completer {
        Completer(Arc::new(function))
    }

    /// Suggests those of a fixed list that begin with what was typed, whatever its case.
    pub fn one_of(values: impl IntoIterator<Item = impl Into<String>>) -> Completer {
        let values: Arc<[String]> = values.into_iter().map(Into::into).collect();
        Completer::calling(move |typed, _| {
            let typed = typed.value.to_lowercase();
            ToolFuture::ready(values.iter().filter(|value| value.to_lowercase().starts_with(&typed)).cloned().collect())
        })
    }

    /// Suggests the choices, if there are any.
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
