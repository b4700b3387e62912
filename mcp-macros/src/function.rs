//! `#[tool]`, `#[prompt]` and `#[resource]` on a function.

use proc_macro2::{Group, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Ident, Item, LitStr, Path, Signature, Visibility};

use crate::args::args;
use crate::attr::Attr;
use crate::check::{self, Place};
use crate::errors::Errors;
use crate::expand;
use crate::item_kind::ItemKind;
use crate::model::ItemModel;
use crate::typed_client;

/// A function whose body is not parsed: that would take longer than everything else here.
struct Function {
    attrs: Vec<Attribute>,
    vis: Visibility,
    sig: Signature,
    body: Group,
}

impl Parse for Function {
    fn parse(input: ParseStream<'_>) -> syn::Result<Function> {
        let (attrs, vis, sig) = (input.call(Attribute::parse_outer)?, input.parse()?, input.parse()?);
        if !input.peek(syn::token::Brace) {
            return Err(input.error("expected a function body"));
        }
        Ok(Function { attrs, vis, sig, body: input.parse()? })
    }
}

impl ToTokens for Function {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Function { attrs, vis, sig, body } = self;
        tokens.extend(quote!(#(#attrs)* #vis #sig #body));
    }
}

/// Expands the attribute: the unchanged function, and a type of the same name that implements the tool, prompt or resource.
pub(crate) fn expand_function(item_kind: ItemKind, attribute: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let attr = Attr::parse(item_kind, attribute, &mut errors);
    let Ok(mut function) = syn::parse2::<Function>(item.clone()) else {
        errors.at(first(&item), not_a_function(item_kind, &item));
        let errors = errors.finish::<()>(None).unwrap_err();
        return quote!(#item #errors);
    };
    let krate = attr.krate.clone();
    check::only_one(item_kind, &mut function.attrs, &mut errors);
    let model = check::item_model(item_kind, attr, &function.attrs, &mut function.sig, Place::Free, &mut errors);
    check::allow_many(&mut function.attrs, &function.sig);
    let is_method = function.sig.receiver().is_some();
    let beside = match errors.finish(model) {
        Ok(model) => expand(&model, &function.vis, krate.as_ref()),
        // In an impl block there cannot be a type next to the method.
        Err(errors) if is_method => return keep_method(&function, &errors),
        Err(errors) => stub(item_kind, &function, krate.as_ref(), &errors),
    };
    quote!(#function #beside)
}

fn expand(model: &ItemModel, vis: &Visibility, krate: Option<&Path>) -> TokenStream {
    let ItemModel { item_kind, ident, cfgs, .. } = model;
    let imports = expand::imports(krate);
    let args = args(model, Some(ident));
    let (spec, call) = (expand::spec(model, &args), expand::call(model, &args, &quote!(#ident)));
    let implementation = implementation(*item_kind, ident, model.key(), &spec, &call);
    let items = &args.items;
    let structure = structure(ident, vis);
    let client = (*item_kind == ItemKind::Tool).then(|| typed_client::client(model, vis));
    quote! {
        #(#cfgs)*
        #structure
        #(#cfgs)*
        #[allow(deprecated)]
        const _: () = {
            #imports
            #items
            #implementation
            #client
        };
    }
}

/// Generates the impls for the type with the name of the function.
fn implementation(
    item_kind: ItemKind,
    ident: &Ident,
    key: &LitStr,
    spec_body: &TokenStream,
    call_body: &TokenStream,
) -> TokenStream {
    let (interface, function, spec, begin) = (
        item_kind.trait_path(),
        item_kind.function_trait(),
        item_kind.spec_type(),
        item_kind.method_signature(&quote!(__call)),
    );
    quote! {
        #[automatically_derived]
        impl #interface for #ident {
            fn spec(&self) -> #spec {
                #spec_body
            }
            #begin {
                #call_body
            }
        }
        #[automatically_derived]
        impl #function for #ident {
            const NAME: &'static str = #key;
            fn item() -> __mcp::Arc<dyn #interface> {
                __mcp::Arc::new(#ident {})
            }
        }
    }
}

/// Generates the type that `tools![..]` uses for the function. It has braces, so that it is not also a value of that name.
fn structure(ident: &Ident, vis: &Visibility) -> TokenStream {
    quote! {
        #[doc(hidden)]
        #[allow(non_camel_case_types, missing_debug_implementations, missing_copy_implementations)]
        #vis struct #ident {}
    }
}

/// Generates impls without behaviour, so that an invalid tool does not cause a second error in `tools![..]`.
fn stub(item_kind: ItemKind, function: &Function, krate: Option<&Path>, errors: &TokenStream) -> TokenStream {
    let ident = &function.sig.ident;
    let structure = structure(ident, &function.vis);
    let imports = expand::imports(krate);
    let (name, never) = (LitStr::new(&ident.to_string(), ident.span()), quote!(loop {}));
    let implementation = implementation(item_kind, ident, &name, &never, &never);
    quote! {
        #structure
        const _: () = {
            #imports
            #implementation
        };
        #errors
    }
}

fn keep_method(function: &Function, errors: &TokenStream) -> TokenStream {
    quote!(#function #errors)
}

/// Returns the error message for an item that is not a function.
fn not_a_function(item_kind: ItemKind, item: &TokenStream) -> String {
    match syn::parse2::<Item>(item.clone()) {
        Ok(Item::Impl(_)) => {
            format!("#[{item_kind}] goes on functions: put #[toolset] on the impl block and #[{item_kind}] on its methods")
        }
        Ok(Item::Verbatim(_)) | Err(_) => format!("#[{item_kind}] goes on functions with a body"),
        Ok(_) => format!("#[{item_kind}] goes on functions: `fn` or `async fn`"),
    }
}

/// Returns the first identifier of an item, after its attributes.
fn first(item: &TokenStream) -> TokenStream {
    let is_word = |token: &TokenTree| matches!(token, TokenTree::Ident(_));
    item.clone().into_iter().find(is_word).map_or_else(TokenStream::new, Into::into)
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::expand_function;
    use crate::item_kind::ItemKind;

    // rustc also reports an error for this function, so it is not among the UI tests, which expect one error.
    #[test]
    fn a_variadic_function_cannot_be_a_tool() {
        let code = expand_function(
            ItemKind::Tool,
            quote!(),
            quote!(
                unsafe extern "C" fn sum(count: usize, mut rest: ...) {}
            ),
        )
        .to_string();
        assert!(code.contains("for any number of arguments use Vec<T>"), "{code}");
    }
}
