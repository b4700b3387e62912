//! The default of an argument: `#[default(..)]`.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Attribute, Ident, Lit};

use crate::model::{Argument, ArgumentDefault};
use crate::value::literal;

/// Generates two functions: one returns the default value, the other returns it as JSON for the schema.
pub(crate) fn functions(argument: &Argument, preset: &ArgumentDefault, cfgs: &[Attribute]) -> TokenStream {
    let Argument { ident, ty, .. } = argument;
    let (default, shown, value) = (default_function(ident), shown_function(ident), value(preset));
    let show = quote_spanned!(ty.span()=> (&&&__mcp::HeldValue::new(#default())).__mcp_show());
    quote! {
        #(#cfgs)*
        fn #default() -> #ty {
            #value
        }
        #(#cfgs)*
        fn #shown() -> __mcp::Value {
            #show
        }
    }
}

/// Returns the name of the function that returns the default of an argument.
pub(crate) fn default_function(argument: &Ident) -> Ident {
    format_ident!("__default_{}", argument.unraw())
}

/// Returns the name of the function that returns the default as JSON.
pub(crate) fn shown_function(argument: &Ident) -> Ident {
    format_ident!("__shown_{}", argument.unraw())
}

fn value(preset: &ArgumentDefault) -> TokenStream {
    match preset {
        ArgumentDefault::OfType => quote!(__mcp::Default::default()),
        // Converts the text, so that `#[default("en")] language: String` works.
        ArgumentDefault::Value(value) if matches!(literal(value), Some(Lit::Str(_))) => {
            quote_spanned!(value.span()=> __mcp::from_text(#value))
        }
        ArgumentDefault::Value(value) => quote!(#value),
    }
}
