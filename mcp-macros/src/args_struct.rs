//! Decodes arguments into a struct with derives, which support all attributes of serde and schemars.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Attribute, LitStr};

use crate::args::Args;
use crate::model::{Argument, ItemModel};
use crate::{argument_default, docs};

/// Generates the struct.
///
/// Each field has a type parameter instead of the argument's type, where possible. There are three reasons: `Self` and the
/// parameters of an impl block cannot be named in the struct, generated names cannot shadow the author's types, and a type that
/// is not valid as an argument is reported at the parameter and not in derived code.
pub(crate) fn args(model: &ItemModel) -> Args {
    let mut items = TokenStream::new();
    if model.arguments().any(|(_, argument)| argument.is_concrete || argument.default.is_some()) {
        // The derive of schemars uses these names without a path if a field has a default.
        items.extend(quote!(
            #[allow(unused_imports)]
            use __mcp::{None, Some};
        ));
    }
    let (mut fields, mut generics, mut types, mut values) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (index, (param, argument)) in model.arguments().enumerate() {
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
            items.extend(argument_default::functions(argument, preset, cfgs));
            attrs.extend(default_attributes(argument, &field_type));
            if argument.is_preset() {
                field_type = quote!(__mcp::Defaulted<#field_type>);
                let default = argument_default::default_function(ident);
                or_default = Some(quote!(.or(#default)));
            }
        }
        fields.push(quote!(#(#cfgs)* #(#attrs)* #ident: #field_type));
        values.push(quote!(__args.#ident #or_default));
    }
    // With a flattened argument, serde cannot reject unknown keys. The schema rejects them instead.
    let strict = (!model.arguments().any(|(_, argument)| argument.is_flattened)).then(|| quote!(, deny_unknown_fields));
    items.extend(quote! {
        #[__mcp::derive(__mcp::serde::Deserialize, __mcp::schemars::JsonSchema)]
        #[serde(crate = "__mcp::serde" #strict)]
        #[schemars(crate = "__mcp::schemars")]
        #[allow(non_snake_case)]
        struct __Args<#(#generics),*> { #(#fields),* }
    });
    Args { items, ty: quote!(__Args<#(#types),*>), pattern: quote!(__args), values }
}

/// Returns the author's attributes, with the lines of the doc comment joined into one attribute.
fn attributes(argument: &Argument) -> Vec<TokenStream> {
    let is_doc = |attr: &&Attribute| attr.path().is_ident("doc");
    let attrs = argument.attrs.iter().filter(|attr| !is_doc(attr)).map(|attr| quote!(#attr));
    attrs.chain(docs::text(&argument.attrs).map(|text| quote!(#[doc = #text]))).collect()
}

/// Returns the attributes that make a field optional and put its default into the schema.
fn default_attributes(argument: &Argument, field_type: &TokenStream) -> [TokenStream; 2] {
    let (default, shown) =
        (argument_default::default_function(&argument.ident), argument_default::shown_function(&argument.ident));
    let absent = if argument.is_preset() { quote!(__mcp::Defaulted::<#field_type>::absent) } else { quote!(#default) };
    let absent = LitStr::new(&absent.to_string(), argument.ident.span());
    [quote!(#[serde(default = #absent)]), quote!(#[schemars(extend("default" = #shown()))])]
}
