//! What the arguments of a function are read into.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Ident;

use crate::model::{Argument, Offer};
use crate::{derived, listed};

/// Generated code for the arguments of a function.
pub(crate) struct Args {
    /// What the type needs.
    pub(crate) items: TokenStream,
    /// The type that they are read into.
    pub(crate) ty: TokenStream,
    /// Takes a value of the type apart.
    pub(crate) pattern: TokenStream,
    /// What the function is given for each of them then.
    pub(crate) values: Vec<TokenStream>,
}

/// Writes the type.
///
/// `owner` is a type that stands for the function, if there is one.
pub(crate) fn args(offer: &Offer, owner: Option<&Ident>) -> Args {
    let mut arguments = offer.arguments().map(|(_, argument)| argument).peekable();
    if arguments.peek().is_none() {
        return Args { items: TokenStream::new(), ty: quote!(__mcp::NoArguments), pattern: quote!(_), values: Vec::new() };
    }
    if arguments.all(is_plain) { listed::args(offer, owner) } else { derived::args(offer) }
}

/// Whether there is nothing to say about an argument but its name, its type, its doc comment and its default.
fn is_plain(argument: &Argument) -> bool {
    !argument.is_concrete && argument.attrs.iter().all(|attr| attr.path().is_ident("doc"))
}
