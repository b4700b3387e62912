//! Decodes arguments into a list of types; names and doc comments are constants. This compiles faster than a struct with derives.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Ident, LitStr};

use crate::args::Args;
use crate::model::{Argument, ItemModel};
use crate::{argument_default, docs};

/// Generates the list.
pub(crate) fn args(model: &ItemModel, owner: Option<&Ident>) -> Args {
    let (mut functions, mut names, mut texts, mut shown) = (TokenStream::new(), Vec::new(), Vec::new(), Vec::new());
    let mut values = Vec::new();
    for (index, (param, argument)) in model.arguments().enumerate() {
        let Argument { ident, attrs, default, .. } = argument;
        names.push(LitStr::new(&argument.json_name, ident.span()));
        texts.push(docs::text(attrs).unwrap_or_else(|| quote!("")));
        let value = variable(index);
        values.push(if let Some(preset) = default {
            functions.extend(argument_default::functions(argument, preset, &param.cfgs));
            shown.push(argument_default::shown_function(ident));
            let default = argument_default::default_function(ident);
            quote!(#value.unwrap_or_else(#default))
        } else {
            quote!(#value)
        });
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
        #functions
        #structure
        impl __mcp::HasArgumentInfo for #owner {
            const INFO: __mcp::ArgumentInfo =
                __mcp::ArgumentInfo { names: &[#(#names),*], docs: &[#(#texts),*], defaults: &[#(#shown),*] };
        }
    };
    let (types, variables) = lists(model);
    Args {
        items,
        ty: quote!(__mcp::ArgumentList<#owner, #types>),
        pattern: quote!(__mcp::ArgumentList { list: #variables, .. }),
        values,
    }
}

/// Returns the list as a type and as a pattern.
fn lists(model: &ItemModel) -> (TokenStream, TokenStream) {
    let arguments: Vec<&Argument> = model.arguments().map(|(_, argument)| argument).collect();
    let end = (quote!(()), quote!(()));
    arguments.iter().enumerate().rev().fold(end, |(types, variables), (index, argument)| {
        let (ty, variable) = (&argument.ty, variable(index));
        match argument.default {
            Some(_) => (quote!(__mcp::WithDefault<#ty, #types>), quote!(__mcp::WithDefault(#variable, #variables))),
            None => (quote!((#ty, #types)), quote!((#variable, #variables))),
        }
    })
}

/// Returns the variable for an argument. Its own name cannot be used: in a pattern, the name of a constant is not a binding.
fn variable(index: usize) -> TokenStream {
    let variable = format_ident!("__arg{index}");
    quote!(#variable)
}
