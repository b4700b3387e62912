//! `#[json_type]` on a struct or an enum.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Item, LitStr, Path};

use crate::errors::Errors;
use crate::{entry, expand, value};

/// Expands the attribute: the item with derives of serde and schemars, whose code refers to the crates that mcp-core re-exports.
///
/// A derive cannot do this: serde reads the path of its crate from an attribute of the item, and only an attribute macro can
/// add one.
pub(crate) fn expand_json_type(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let Keys { krate, is_open } = Keys::parse(attribute, &mut errors);
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
    // The schema then has a rule for other keys, so it is not closed. Decoding ignores such keys anyway.
    let open = is_open.then(|| quote!(#[schemars(extend("additionalProperties" = true))]));
    match errors.finish(Some(())) {
        Ok(()) => quote! {
            #[derive(#private::serde::Serialize, #private::serde::Deserialize, #private::schemars::JsonSchema)]
            #[serde(crate = #serde)]
            #[schemars(crate = #schemars)]
            #open
            #item
        },
        Err(errors) => quote!(#item #errors),
    }
}

/// The keys of `#[json_type(..)]`.
#[derive(Default)]
struct Keys {
    /// The path of mcp-core, if it is not `::mcp_core`.
    krate: Option<Path>,
    is_open: bool,
}

impl Keys {
    fn parse(attribute: TokenStream, errors: &mut Errors) -> Keys {
        let mut keys = Keys::default();
        for entry in entry::parse("json_type", &["open", "crate"], attribute, errors) {
            if entry.key == "open" {
                keys.is_open = errors.attempt(value::flag(&entry)).unwrap_or_default();
            } else {
                keys.krate = errors.attempt(value::path(&entry));
            }
        }
        keys
    }
}
