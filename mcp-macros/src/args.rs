//! The struct that a tool's arguments are read into.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Attribute, Ident, Lit, LitStr};

use crate::model::{Argument, Preset, Tool};
use crate::{docs, value};

/// Generated code for the arguments of a tool.
pub(crate) struct Args {
    /// The struct and what it needs.
    pub(crate) items: TokenStream,
    /// The struct as a type.
    pub(crate) ty: TokenStream,
}

/// Writes the struct.
///
/// A type parameter stands for each argument's type wherever it can. So the struct may stand where `Self` and the parameters
/// of an impl cannot be named, no name of ours comes between an author's types and their meaning, and a type that cannot be
/// an argument is no error in derived code.
pub(crate) fn args(tool: &Tool) -> Args {
    if tool.arguments().next().is_none() {
        return Args { items: TokenStream::new(), ty: quote!(__mcp::NoArguments) };
    }
    let mut items = TokenStream::new();
    if tool.arguments().any(|(_, argument)| argument.is_concrete) {
        // schemars says these, without a path, where a field has a default.
        items.extend(quote!(
            #[allow(unused_imports)]
            use __mcp::{None, Some};
        ));
    }
    let (mut fields, mut generics, mut types) = (Vec::new(), Vec::new(), Vec::new());
    for (index, (param, argument)) in tool.arguments().enumerate() {
        let Argument { ident, ty, .. } = argument;
        let cfgs = &param.cfgs;
        let attrs = attributes(argument, &mut items, cfgs);
        let field_type = if argument.is_concrete {
            quote!(#ty)
        } else {
            let generic = format_ident!("__T{index}");
            types.push(quote!(#ty));
            generics.push(generic.clone());
            quote!(#generic)
        };
        fields.push(quote!(#(#cfgs)* #(#attrs)* #ident: #field_type));
    }
    // A flattened argument takes the keys that are not known here, so none may be refused.
    let strict = (!tool.arguments().any(|(_, argument)| argument.is_flattened)).then(|| quote!(, deny_unknown_fields));
    items.extend(quote! {
        #[__mcp::derive(__mcp::serde::Deserialize, __mcp::schemars::JsonSchema)]
        #[serde(crate = "__mcp::serde" #strict)]
        #[schemars(crate = "__mcp::schemars")]
        #[allow(non_snake_case)]
        struct __Args<#(#generics),*> { #(#fields),* }
    });
    Args { items, ty: quote!(__Args<#(#types),*>) }
}

/// The attributes of a field; adds the function that gives its default.
fn attributes(argument: &Argument, items: &mut TokenStream, cfgs: &[Attribute]) -> Vec<TokenStream> {
    let is_doc = |attr: &&Attribute| attr.path().is_ident("doc");
    let mut attrs: Vec<TokenStream> = argument.attrs.iter().filter(|attr| !is_doc(attr)).map(|attr| quote!(#attr)).collect();
    attrs.extend(docs::text(&argument.attrs).map(|text| quote!(#[doc = #text])));
    if let Some(preset) = &argument.default {
        let function = default_function(&argument.ident);
        let path = LitStr::new(&function.to_string(), argument.ident.span());
        attrs.push(quote!(#[serde(default = #path)]));
        let (ty, value) = (&argument.ty, default_value(preset));
        items.extend(quote! {
            #(#cfgs)*
            fn #function() -> #ty {
                #value
            }
        });
    }
    attrs
}

fn default_function(argument: &Ident) -> Ident {
    format_ident!("__default_{}", argument.unraw())
}

fn default_value(preset: &Preset) -> TokenStream {
    match preset {
        Preset::OfType => quote!(__mcp::Default::default()),
        // So that `#[default("en")] language: String` works.
        Preset::Value(value) if matches!(value::literal(value), Some(Lit::Str(_))) => {
            quote_spanned!(value.span()=> __mcp::from_text(#value))
        }
        Preset::Value(value) => quote!(#value),
    }
}
