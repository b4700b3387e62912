//! The generated type that the arguments of a function are decoded into.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Ident;

use crate::model::{Argument, ItemModel};
use crate::{args_list, args_struct};

/// Generated code for the arguments of a function.
pub(crate) struct Args {
    /// The items that define the type.
    pub(crate) items: TokenStream,
    /// The type that the arguments are decoded into.
    pub(crate) ty: TokenStream,
    /// A pattern that binds the parts of a value of the type.
    pub(crate) pattern: TokenStream,
    /// For each argument, the expression that is passed to the function.
    pub(crate) values: Vec<TokenStream>,
}

/// Generates the type.
///
/// `owner` is the generated type with the name of the function. `None` for methods, which have none.
pub(crate) fn args(model: &ItemModel, owner: Option<&Ident>) -> Args {
    let mut arguments = model.arguments().map(|(_, argument)| argument).peekable();
    if arguments.peek().is_none() {
        return Args { items: TokenStream::new(), ty: quote!(__mcp::NoArguments), pattern: quote!(_), values: Vec::new() };
    }
    if arguments.all(is_plain) { args_list::args(model, owner) } else { args_struct::args(model) }
}

/// Returns whether an argument has no attributes other than its doc comment and its default.
fn is_plain(argument: &Argument) -> bool {
    !argument.is_concrete && argument.attrs.iter().all(|attr| attr.path().is_ident("doc"))
}
