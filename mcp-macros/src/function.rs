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
use crate::model::Offer;
use crate::what::What;

/// A function whose body is nobody's business here: to read it would take longer than all the rest.
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
            return Err(input.error("expected a body"));
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

/// The function as it was, and beside it a type of the same name that is the tool, prompt or resource.
pub(crate) fn offer(what: What, attribute: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let attr = Attr::parse(what, attribute, &mut errors);
    let Ok(mut function) = syn::parse2::<Function>(item.clone()) else {
        errors.at(first(&item), no_function(what, &item));
        let errors = errors.finish::<()>(None).unwrap_err();
        return quote!(#item #errors);
    };
    let krate = attr.krate.clone();
    check::only_one(what, &mut function.attrs, &mut errors);
    let offer = check::offer(what, attr, &function.attrs, &mut function.sig, Place::Free, &mut errors);
    check::allow_many(&mut function.attrs, &function.sig);
    let is_method = function.sig.receiver().is_some();
    let beside = match errors.finish(offer) {
        Ok(offer) => expand(&offer, &function.vis, krate.as_ref()),
        // A method has no place beside it where a type could stand.
        Err(errors) if is_method => return keep_method(&function, &errors),
        Err(errors) => stub(what, &function, krate.as_ref(), &errors),
    };
    quote!(#function #beside)
}

fn expand(offer: &Offer, vis: &Visibility, krate: Option<&Path>) -> TokenStream {
    let Offer { what, ident, cfgs, .. } = offer;
    let imports = expand::imports(krate);
    let args = args(offer, Some(ident));
    let (spec, call) = (expand::spec(offer, &args), expand::call(offer, &args, &quote!(#ident)));
    let implementation = implementation(*what, ident, offer.key(), &spec, &call);
    let items = &args.items;
    let structure = structure(ident, vis);
    quote! {
        #(#cfgs)*
        #structure
        #(#cfgs)*
        #[allow(deprecated)]
        const _: () = {
            #imports
            #items
            #implementation
        };
    }
}

/// The impls of the type beside the function, with these bodies.
fn implementation(what: What, ident: &Ident, key: &LitStr, spec_body: &TokenStream, call_body: &TokenStream) -> TokenStream {
    let (interface, function, spec, begin) = (what.interface(), what.function(), what.spec(), what.begin(&quote!(__call)));
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
            fn offer() -> __mcp::Arc<dyn #interface> {
                __mcp::Arc::new(#ident {})
            }
        }
    }
}

/// The type that stands for the function in `tools![..]` and its like. It has braces, so that it is a type only and no value.
fn structure(ident: &Ident, vis: &Visibility) -> TokenStream {
    quote! {
        #[doc(hidden)]
        #[allow(non_camel_case_types, missing_debug_implementations, missing_copy_implementations)]
        #vis struct #ident {}
    }
}

/// What keeps a mistake from becoming two: `tools![..]` finds a tool of this name.
fn stub(what: What, function: &Function, krate: Option<&Path>, errors: &TokenStream) -> TokenStream {
    let ident = &function.sig.ident;
    let structure = structure(ident, &function.vis);
    let imports = expand::imports(krate);
    let (name, never) = (LitStr::new(&ident.to_string(), ident.span()), quote!(loop {}));
    let implementation = implementation(what, ident, &name, &never, &never);
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

/// What to say about something that is no function.
fn no_function(what: What, item: &TokenStream) -> String {
    match syn::parse2::<Item>(item.clone()) {
        Ok(Item::Impl(_)) => {
            format!("#[{what}] goes on functions: put #[toolset] on the impl block and #[{what}] on its methods")
        }
        Ok(Item::Verbatim(_)) | Err(_) => format!("#[{what}] goes on functions with a body"),
        Ok(_) => format!("#[{what}] goes on functions: `fn` or `async fn`"),
    }
}

/// The first word of an item, after its attributes.
fn first(item: &TokenStream) -> TokenStream {
    let is_word = |token: &TokenTree| matches!(token, TokenTree::Ident(_));
    item.clone().into_iter().find(is_word).map_or_else(TokenStream::new, Into::into)
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::offer;
    use crate::what::What;

    // rustc has an error of its own for this one, so it cannot stand among those that are told once.
    #[test]
    fn a_variadic_function_is_no_tool() {
        let code = offer(
            What::Tool,
            quote!(),
            quote!(
                unsafe extern "C" fn sum(count: usize, mut rest: ...) {}
            ),
        )
        .to_string();
        assert!(code.contains("for any number of arguments use Vec<T>"), "{code}");
    }
}
