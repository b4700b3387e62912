//! Every mistake of an author, told at once.

use std::fmt::Display;

use proc_macro2::TokenStream;
use quote::ToTokens;

/// The mistakes found so far.
#[derive(Default)]
#[must_use]
pub(crate) struct Errors(Option<syn::Error>);

impl Errors {
    /// Notes a mistake in these tokens.
    pub(crate) fn at(&mut self, place: impl ToTokens, message: impl Display) {
        self.add(syn::Error::new_spanned(place, message));
    }

    /// Notes a mistake.
    pub(crate) fn add(&mut self, error: syn::Error) {
        match &mut self.0 {
            Some(first) => first.combine(error),
            none => *none = Some(error),
        }
    }

    /// The value, or a mistake noted.
    pub(crate) fn attempt<T>(&mut self, result: syn::Result<T>) -> Option<T> {
        result.map_err(|error| self.add(error)).ok()
    }

    /// The value if there was no mistake, else code that tells them all.
    pub(crate) fn finish<T>(self, value: Option<T>) -> Result<T, TokenStream> {
        match (self.0, value) {
            (None, Some(value)) => Ok(value),
            (Some(error), _) => Err(error.into_compile_error()),
            (None, None) => unreachable!("nothing is left out without an error"),
        }
    }
}
