//! An impl block as code: what makes its type a set of tools.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{GenericParam, Generics, Ident, ItemImpl, WherePredicate, parse_quote};

use crate::args::args;
use crate::model::Tool;
use crate::{expand, tokens};

/// Writes the impls of `Toolset` for a type, with this body.
///
/// A set is kept for as long as it is wanted, so where the author's block has a lifetime these have `'static`.
pub(crate) fn implementation(block: &ItemImpl, body: &TokenStream) -> TokenStream {
    let this = tokens::with_static(block.self_ty.to_token_stream(), &|name| name == "_");
    let is_lifetime = |param: &&GenericParam| matches!(param, GenericParam::Lifetime(_));
    let mut generics = block.generics.clone();
    generics.params = block.generics.params.iter().filter(|param| !is_lifetime(param)).cloned().collect();
    let bounds = shared_by_threads(&generics, &this);
    if !bounds.is_empty() {
        generics.make_where_clause().predicates.extend(bounds);
    }
    let (parameters, _, bounds) = generics.split_for_impl();
    let code = quote! {
        #[automatically_derived]
        impl #parameters __mcp::Shared for #this #bounds {
            fn tools(__set: __mcp::Arc<Self>) -> __mcp::Vec<__mcp::Arc<dyn __mcp::Tool>> {
                #body
            }
        }
        #[automatically_derived]
        impl #parameters __mcp::Toolset for #this #bounds {
            fn into_tools(self) -> __mcp::Vec<__mcp::Arc<dyn __mcp::Tool>> {
                __mcp::Shared::tools(__mcp::Arc::new(self))
            }
        }
    };
    let is_among = |name: &Ident| block.generics.lifetimes().any(|param| param.lifetime.ident == *name);
    tokens::with_static(code, &is_among)
}

/// What the parameters of an impl must allow for calls to share its type between threads.
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

/// Makes a list of these tools, which share `__set`.
pub(crate) fn body(tools: &[Tool], this: Span) -> TokenStream {
    let tools = tools.iter().map(|tool| {
        let Tool { ident, cfgs, .. } = tool;
        let args = args(tool);
        let (spec, call) = (expand::spec(tool, &args), expand::call(tool, &args, &quote!(Self::#ident)));
        let items = &args.items;
        let set = if tool.takes_self { quote!(__set) } else { quote!(_) };
        let (owner, argument) = (quote!(__set), quote!(__call));
        // What threads cannot share is told at the type.
        let method = quote_spanned!(this=> __mcp::method(&#owner, || { #spec }, |#set, #argument| { #call }));
        quote! {
            #(#cfgs)*
            {
                #items
                __tools.push(#method);
            }
        }
    });
    quote! {
        let mut __tools = __mcp::Vec::new();
        #(#tools)*
        __tools
    }
}
