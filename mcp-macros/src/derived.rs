//! Arguments as a struct with derives, which know all that attributes can say.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Attribute, LitStr};

use crate::args::Args;
use crate::model::{Argument, Offer};
use crate::{docs, preset};

/// Writes the struct.
///
/// A type parameter stands for each argument's type wherever it can. So the struct may stand where `Self` and the parameters
/// of an impl cannot be named, no name of ours comes between an author's types and their meaning, and a type that cannot be
/// an argument is no error in derived code.
pub(crate) fn args(offer: &Offer) -> Args {
    let mut items = TokenStream::new();
    if offer.arguments().any(|(_, argument)| argument.is_concrete || argument.default.is_some()) {
        // schemars says these, without a path, where a field has a default.
        items.extend(quote!(
            #[allow(unused_imports)]
            use __mcp::{None, Some};
        ));
    }
    let (mut fields, mut generics, mut types, mut values) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (index, (param, argument)) in offer.arguments().enumerate() {
        let Argument { ident, ty, .. } = argument;
        let cfgs = &param.cfgs;
        let mut field_type = quote!(#ty);
        if !argument.is_concrete {
            types.push(field_type);
            let generic = format_ident!("__T{index}");
            field_type = quote!(#generic);
            generics.push(generic);
        }
        let mut attrs = attributes(argument);
        let mut or_default = None;
        if let Some(preset) = &argument.default {
            items.extend(preset::functions(argument, preset, cfgs));
            attrs.extend(default_attributes(argument, &field_type));
            if argument.is_preset() {
                field_type = quote!(__mcp::Preset<#field_type>);
                let default = preset::default_function(ident);
                or_default = Some(quote!(.or(#default)));
            }
        }
        fields.push(quote!(#(#cfgs)* #(#attrs)* #ident: #field_type));
        values.push(quote!(__args.#ident #or_default));
    }
    // A flattened argument takes the keys that are not known here; what it does not know either, the schema refuses.
    let strict = (!offer.arguments().any(|(_, argument)| argument.is_flattened)).then(|| quote!(, deny_unknown_fields));
    items.extend(quote! {
        #[__mcp::derive(__mcp::serde::Deserialize, __mcp::schemars::JsonSchema)]
        #[serde(crate = "__mcp::serde" #strict)]
        #[schemars(crate = "__mcp::schemars")]
        #[allow(non_snake_case)]
        struct __Args<#(#generics),*> { #(#fields),* }
    });
    Args { items, ty: quote!(__Args<#(#types),*>), pattern: quote!(__args), values }
}

/// The attributes that the author wrote, the doc comment as one.
fn attributes(argument: &Argument) -> Vec<TokenStream> {
    let is_doc = |attr: &&Attribute| attr.path().is_ident("doc");
    let attrs = argument.attrs.iter().filter(|attr| !is_doc(attr)).map(|attr| quote!(#attr));
    attrs.chain(docs::text(&argument.attrs).map(|text| quote!(#[doc = #text]))).collect()
}

/// What makes a field optional, and what shows its default.
fn default_attributes(argument: &Argument, field_type: &TokenStream) -> [TokenStream; 2] {
    let (default, shown) = (preset::default_function(&argument.ident), preset::shown_function(&argument.ident));
    let absent = if argument.is_preset() { quote!(__mcp::Preset::<#field_type>::absent) } else { quote!(#default) };
    let absent = LitStr::new(&absent.to_string(), argument.ident.span());
    [quote!(#[serde(default = #absent)]), quote!(#[schemars(extend("default" = #shown()))])]
}
