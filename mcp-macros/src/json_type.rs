//! `#[json_type]` on a struct or an enum.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Item, LitStr};

use crate::attr;
use crate::errors::Errors;
use crate::expand;

/// Expands the attribute: the item with derives of serde and schemars, whose code refers to the crates that mcp-core re-exports.
///
/// A derive cannot do this: serde reads the path of its crate from an attribute of the item, and only an attribute macro can
/// add one.
pub(crate) fn expand_json_type(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let krate = attr::only_crate("json_type", attribute, &mut errors);
    if !matches!(syn::parse2(item.clone()), Ok(Item::Struct(_) | Item::Enum(_))) {
        let first: TokenStream = item.clone().into_iter().take(1).collect();
        errors.at(first, "#[json_type] goes on a struct or an enum");
    }
    let private = expand::private(krate.as_ref());
    let path = |name: &str| {
        let path = quote!(#private).to_string().replace(' ', "");
        LitStr::new(&format!("{path}::{name}"), proc_macro2::Span::call_site())
    };
    let (serde, schemars) = (path("serde"), path("schemars"));
    match errors.finish(Some(())) {
        Ok(()) => quote! {
            #[derive(#private::serde::Serialize, #private::serde::Deserialize, #private::schemars::JsonSchema)]
            #[serde(crate = #serde)]
            #[schemars(crate = #schemars)]
            #item
        },
        Err(errors) => quote!(#item #errors),
    }
}
