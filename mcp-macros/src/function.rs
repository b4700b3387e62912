//! `#[tool]` on a function.

use proc_macro2::{TokenStream, TokenTree};
use quote::quote;
use syn::{Ident, Item, ItemFn, Path, Visibility};

use crate::args::args;
use crate::attr::ToolAttr;
use crate::check::{self, Place};
use crate::errors::Errors;
use crate::expand;
use crate::model::Tool;

/// The function as it was, and beside it a type of the same name that is the tool.
pub(crate) fn tool(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let attr = ToolAttr::parse(attribute, &mut errors);
    let Ok(mut function) = syn::parse2::<ItemFn>(item.clone()) else {
        errors.at(first(&item), no_function(&item));
        let errors = errors.finish::<()>(None).unwrap_err();
        return quote!(#item #errors);
    };
    let krate = attr.krate.clone();
    let tool = check::tool(attr, &function.attrs, &mut function.sig, Place::Free, &mut errors);
    check::allow_many(&mut function.attrs, &function.sig);
    let is_method = function.sig.receiver().is_some();
    let beside = match errors.finish(tool) {
        Ok(tool) => expand(&tool, &function.vis, krate.as_ref()),
        // A method has no place beside it where a type could stand.
        Err(errors) if is_method => return keep_method(&function, &errors),
        Err(errors) => stub(&function, krate.as_ref(), &errors),
    };
    quote!(#function #beside)
}

fn expand(tool: &Tool, vis: &Visibility, krate: Option<&Path>) -> TokenStream {
    let Tool { ident, name, cfgs, .. } = tool;
    let args = args(tool);
    let (spec, call) = (expand::spec(tool, &args), expand::call(tool, &args, &quote!(#ident)));
    let items = &args.items;
    let structure = structure(ident, vis, krate);
    let imports = expand::imports(krate);
    quote! {
        #(#cfgs)*
        #structure
        #(#cfgs)*
        #[allow(deprecated)]
        const _: () = {
            #imports
            #items
            #[automatically_derived]
            impl __mcp::Tool for #ident {
                fn spec(&self) -> __mcp::ToolSpec {
                    #spec
                }
                fn call(&self, __call: __mcp::Call<'_>) -> __mcp::Calling {
                    #call
                }
            }
            #[automatically_derived]
            impl __mcp::Function for #ident {
                const NAME: &'static str = #name;
            }
        };
    }
}

/// The type that stands for the function in `tools![..]`. It has braces, so that it is a type only and no value.
fn structure(ident: &Ident, vis: &Visibility, krate: Option<&Path>) -> TokenStream {
    let private = expand::private(krate);
    quote! {
        #[doc(hidden)]
        #[allow(non_camel_case_types)]
        #[#private::derive(#private::Clone, #private::Copy, #private::Debug, #private::Default)]
        #vis struct #ident {}
    }
}

/// What keeps a mistake from becoming two: `tools![..]` finds a tool of this name.
fn stub(function: &ItemFn, krate: Option<&Path>, errors: &TokenStream) -> TokenStream {
    let ident = &function.sig.ident;
    let structure = structure(ident, &function.vis, krate);
    let imports = expand::imports(krate);
    quote! {
        #structure
        const _: () = {
            #imports
            #[automatically_derived]
            impl __mcp::Tool for #ident {
                fn spec(&self) -> __mcp::ToolSpec {
                    loop {}
                }
                fn call(&self, _: __mcp::Call<'_>) -> __mcp::Calling {
                    loop {}
                }
            }
            #[automatically_derived]
            impl __mcp::Function for #ident {
                const NAME: &'static str = ::core::stringify!(#ident);
            }
        };
        #errors
    }
}

fn keep_method(function: &ItemFn, errors: &TokenStream) -> TokenStream {
    quote!(#function #errors)
}

/// What to say about something that is no function.
fn no_function(item: &TokenStream) -> &'static str {
    match syn::parse2::<Item>(item.clone()) {
        Ok(Item::Impl(_)) => "#[tool] goes on functions: put #[toolset] on the impl block and #[tool] on its methods",
        Ok(Item::Verbatim(_)) | Err(_) => "#[tool] goes on functions with a body",
        Ok(_) => "#[tool] goes on functions: `fn` or `async fn`",
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

    use super::tool;

    // rustc has an error of its own for this one, so it cannot stand among those that are told once.
    #[test]
    fn a_variadic_function_is_no_tool() {
        let code = tool(
            quote!(),
            quote!(
                unsafe extern "C" fn sum(count: usize, mut rest: ...) {}
            ),
        )
        .to_string();
        assert!(code.contains("for any number of arguments use Vec<T>"), "{code}");
    }
}
