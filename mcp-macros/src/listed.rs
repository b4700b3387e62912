//! Arguments as a list of types, with their names and doc comments beside it: there is less to compile than with derives.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use syn::{Ident, LitStr};

use crate::args::Args;
use crate::docs;
use crate::model::Offer;

/// Writes the list, as nested pairs.
pub(crate) fn args(offer: &Offer, owner: Option<&Ident>) -> Args {
    let (mut names, mut texts, mut types, mut values) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (index, (_, argument)) in offer.arguments().enumerate() {
        names.push(LitStr::new(&argument.json_name, argument.ident.span()));
        texts.push(docs::text(&argument.attrs).unwrap_or_else(|| quote!("")));
        types.push(argument.ty.to_token_stream());
        values.push(format_ident!("__arg{index}").into_token_stream());
    }
    let (structure, owner) = match owner {
        Some(owner) => (None, quote!(#owner)),
        None => (
            Some(quote!(
                struct __Names;
            )),
            quote!(__Names),
        ),
    };
    let items = quote! {
        #structure
        impl __mcp::Named for #owner {
            const NAMES: __mcp::Names = __mcp::Names { names: &[#(#names),*], docs: &[#(#texts),*] };
        }
    };
    let (types, list) = (pairs(&types), pairs(&values));
    Args { items, ty: quote!(__mcp::Listed<#owner, #types>), pattern: quote!(__mcp::Listed { list: #list, .. }), values }
}

/// `(a, (b, ()))`
fn pairs(items: &[TokenStream]) -> TokenStream {
    items.iter().rev().fold(quote!(()), |others, item| quote!((#item, #others)))
}
