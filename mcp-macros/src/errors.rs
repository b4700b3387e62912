//! Collects errors, so that all of them are reported at once.

use std::fmt::Display;

use proc_macro2::TokenStream;
use quote::ToTokens;

/// The errors found so far.
#[derive(Default)]
#[must_use]
pub(crate) struct Errors(Option<syn::Error>);

impl Errors {
    /// Adds an error at these tokens.
    pub(crate) fn at(&mut self, place: impl ToTokens, message: impl Display) {
        self.add(syn::Error::new_spanned(place, message));
    }

    /// Adds an error.
    pub(crate) fn add(&mut self, error: syn::Error) {
        match &mut self.0 {
            Some(first) => first.combine(error),
            none => *none = Some(error),
        }
    }

    /// Returns the value, or adds the error and returns `None`.
    pub(crate) fn attempt<T>(&mut self, result: syn::Result<T>) -> Option<T> {
        result.map_err(|error| self.add(error)).ok()
    }

    /// Returns the value if there were no errors. Otherwise returns `compile_error!` calls for all of them.
    pub(crate) fn finish<T>(self, value: Option<T>) -> Result<T, TokenStream> {
        match (self.0, value) {
            (None, Some(value)) => Ok(value),
            (Some(error), _) => Err(error.into_compile_error()),
            (None, None) => unreachable!("a value is missing only after an error"),
        }
    }
}
