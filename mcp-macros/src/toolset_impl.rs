//! Generates the impls that make the type of a `#[toolset]` block a set of tools, prompts or resources.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{GenericParam, Generics, Ident, ItemImpl, WherePredicate, parse_quote};

use crate::args::args;
use crate::item_kind::ItemKind;
use crate::model::ItemModel;
use crate::{expand, tokens};

/// Generates the impls for one kind of item, with this body.
///
/// A server owns its sets, so they must be `'static`: lifetimes of the author's impl block are replaced by `'static`.
pub(crate) fn implementation(item_kind: ItemKind, block: &ItemImpl, body: &TokenStream) -> TokenStream {
    let this = tokens::with_static(block.self_ty.to_token_stream(), &|name| name == "_");
    let is_lifetime = |param: &&GenericParam| matches!(param, GenericParam::Lifetime(_));
    let mut generics = block.generics.clone();
    generics.params = block.generics.params.iter().filter(|param| !is_lifetime(param)).cloned().collect();
    let bounds = shared_by_threads(&generics, &this);
    if !bounds.is_empty() {
        generics.make_where_clause().predicates.extend(bounds);
    }
    let (parameters, _, bounds) = generics.split_for_impl();
    let (kind, interface, (set, into)) = (item_kind.marker_type(), item_kind.trait_path(), item_kind.set_trait());
    let code = quote! {
        #[automatically_derived]
        impl #parameters __mcp::ItemSet<#kind> for #this #bounds {
            fn items(__set: __mcp::Arc<Self>) -> __mcp::Vec<__mcp::Arc<dyn #interface>> {
                #body
            }
        }
        #[automatically_derived]
        impl #parameters #set for #this #bounds {
            fn #into(self) -> __mcp::Vec<__mcp::Arc<dyn #interface>> {
                <Self as __mcp::ItemSet<#kind>>::items(__mcp::Arc::new(self))
            }
        }
    };
    let is_among = |name: &Ident| block.generics.lifetimes().any(|param| param.lifetime.ident == *name);
    tokens::with_static(code, &is_among)
}

/// Returns the bounds that make the type `Send + Sync + 'static`: calls on several threads share it.
fn shared_by_threads(generics: &Generics, this: &TokenStream) -> Vec<WherePredicate> {
    let has_lifetime = tokens::mentions(this.clone(), &|word| word == "static");
    match generics.params.len() {
        0 => Vec::new(),
        // rustc cannot use a bound on the whole type for other lifetimes than the bound's, which an `async fn` needs.
        _ if has_lifetime => {
            let types = generics.type_params().map(|param| &param.ident);
            types.map(|param| parse_quote!(#param: __mcp::Send + __mcp::Sync + 'static)).collect()
        }
        _ => vec![parse_quote!(#this: __mcp::Send + __mcp::Sync + 'static)],
    }
}

/// Generates code that returns the items of one kind. They share `__set`.
pub(crate) fn body<'a>(item_kind: ItemKind, models: impl Iterator<Item = &'a ItemModel>, this: Span) -> TokenStream {
    let (kind, interface) = (item_kind.marker_type(), item_kind.trait_path());
    let models = models.map(|model| {
        let ItemModel { ident, cfgs, .. } = model;
        let args = args(model, None);
        let (spec, call) = (expand::spec(model, &args), expand::call(model, &args, &quote!(Self::#ident)));
        let items = &args.items;
        let set = if model.takes_self { quote!(__set) } else { quote!(_) };
        let (owner, argument) = (quote!(__set), quote!(__call));
        // With this span, the error for a type that is not `Send + Sync` is reported at the type.
        let method = quote_spanned!(this=> __mcp::method::<#kind, _>(&#owner, || { #spec }, |#set, #argument| { #call }));
        quote! {
            #(#cfgs)*
            {
                #items
                __items.push(#method);
            }
        }
    });
    quote! {
        let mut __items: __mcp::Vec<__mcp::Arc<dyn #interface>> = __mcp::Vec::new();
        #(#models)*
        __items
    }
}
