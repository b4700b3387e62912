//! Generates the client of a tool: `add::on(&client).call(2, 3)`.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Ident, ItemImpl, LitStr, Type, Visibility, parse_quote};

use crate::model::{Argument, ItemModel};
use crate::tokens;

/// Generates the function `on` of the type with the name of the tool, and the type that it returns.
pub(crate) fn client(model: &ItemModel, vis: &Visibility) -> TokenStream {
    let ident = &model.ident;
    let method = method(model, &quote!(call), vis);
    quote! {
        #[allow(missing_debug_implementations, missing_copy_implementations, unreachable_pub, dead_code)]
        #vis struct __Client<'__c, __C: ?::core::marker::Sized>(&'__c __C);
        // Without `allow(dead_code)`, which would make the tool count as used: rustc warns about a tool that is in no `tools![..]`.
        // It does not warn about an unused `on`, because a macro generated it.
        #[allow(unreachable_pub)]
        impl #ident {
            /// Returns a client of this tool. Its function `call` takes the arguments of the tool.
            #vis fn on<'__c, __C: __mcp::Caller + ?::core::marker::Sized>(__client: &'__c __C) -> __Client<'__c, __C> {
                __Client(__client)
            }
        }
        #[allow(unreachable_pub, dead_code)]
        impl<'__c, __C: ?::core::marker::Sized> __Client<'__c, __C> {
            #method
        }
    }
}

/// Generates a type with a method for each tool of a `#[toolset]` block. `imports` are those of generated code.
pub(crate) fn of_toolset(name: &Ident, block: &ItemImpl, tools: &[&ItemModel], imports: &TokenStream) -> TokenStream {
    let this = block.self_ty.to_token_stream();
    let block_cfgs: Vec<_> = block.attrs.iter().filter(|attr| attr.path().is_ident("cfg")).collect();
    let vis: Visibility = parse_quote!(pub);
    let methods = tools.iter().map(|model| {
        let (ident, cfgs) = (&model.ident, &model.cfgs);
        let method = tokens::without_self(method(model, &quote!(#ident), &vis), &this);
        quote!(#(#cfgs)* #method)
    });
    quote! {
        #(#block_cfgs)*
        /// The client of a set of tools, with a method for each tool.
        #[allow(missing_debug_implementations, missing_copy_implementations, unreachable_pub, dead_code)]
        pub struct #name<'__c, __C: ?::core::marker::Sized>(&'__c __C);
        #(#block_cfgs)*
        const _: () = {
            #imports
            #[allow(unreachable_pub, dead_code, private_interfaces)]
            impl<'__c, __C: ?::core::marker::Sized> #name<'__c, __C> {
                /// Creates a client of these tools.
                pub fn on(__client: &'__c __C) -> #name<'__c, __C>
                where
                    __C: __mcp::Caller,
                {
                    #name(__client)
                }
                #(#methods)*
            }
        };
    }
}

/// Generates the method that calls a tool.
///
/// The return value of that method has the types of the list and of the result, which are checked only where it is awaited. The return value borrows `self`,
/// because a lifetime that is elided in the return type of the function is then that of `self`.
fn method(model: &ItemModel, name: &TokenStream, vis: &Visibility) -> TokenStream {
    let (tool, output) = (&model.name, &model.output);
    let mut params = Vec::new();
    let (mut names, mut types, mut values, mut others) = (Vec::new(), Vec::new(), Vec::new(), TokenStream::new());
    for (param, argument) in model.arguments() {
        let Argument { ident, .. } = argument;
        let (cfgs, json_name) = (&param.cfgs, LitStr::new(&argument.json_name, ident.span()));
        let Sent { param, list_type, value } = sent(argument, !cfgs.is_empty());
        params.push(quote!(#(#cfgs)* #ident: #param));
        if cfgs.is_empty() {
            names.push(json_name);
            types.push(list_type);
            values.push(value);
        } else {
            others.extend(quote!(#(#cfgs)* let __call = __call.with(#json_name, #ident);));
        }
    }
    let list_type = types.iter().rev().fold(quote!(()), |rest, ty| quote!((#ty, #rest)));
    let list = values.iter().rev().fold(quote!(()), |rest, value| quote!((#value, #rest)));
    let call = quote!(__mcp::TypedCall::new(self.0, #tool, &[#(#names),*], #list));
    let body = if others.is_empty() { call } else { quote!(let __call = #call; #others __call) };
    quote! {
        /// Calls the tool.
        #[allow(clippy::too_many_arguments)]
        #vis fn #name(&self, #(#params),*) -> __mcp::TypedCall<'__c, __C, #list_type, #output>
        where
            __C: __mcp::Caller,
        {
            #body
        }
    }
}

/// The code with which a typed client sends one argument.
struct Sent {
    /// The parameter of the method `call`, with its type.
    param: TokenStream,
    /// The type of the argument in the struct that is serialized.
    list_type: TokenStream,
    /// The expression for its value in that struct.
    value: TokenStream,
}

/// Returns how an argument is sent. `is_conditional`: it has a `#[cfg(..)]`, so it is not in the list.
fn sent(argument: &Argument, is_conditional: bool) -> Sent {
    let Argument { ident, ty, .. } = argument;
    // With attributes that replace its decoding, the type does not determine what is sent: the caller passes the JSON.
    let ty = if argument.is_custom || is_conditional { quote!(__mcp::Value) } else { owned(quote!(#ty)) };
    if argument.is_flattened {
        Sent { param: ty.clone(), list_type: quote!(__mcp::Flattened<#ty>), value: quote!(__mcp::Flattened(#ident)) }
    } else if argument.default.is_some() {
        Sent {
            param: quote!(__mcp::Option<#ty>),
            list_type: quote!(__mcp::IfGiven<#ty>),
            value: quote!(__mcp::IfGiven(#ident)),
        }
    } else if argument.is_custom || is_conditional {
        Sent { param: ty.clone(), list_type: ty, value: quote!(#ident) }
    } else if is_named(&argument.ty, &["Option"]) {
        Sent { param: ty.clone(), list_type: quote!(__mcp::NotNull<#ty>), value: quote!(__mcp::NotNull(#ident)) }
    } else if is_named(&argument.ty, &["String", "PathBuf"]) {
        Sent { param: quote!(impl __mcp::Into<#ty>), list_type: ty, value: quote!(__mcp::Into::into(#ident)) }
    } else {
        Sent { param: ty.clone(), list_type: ty, value: quote!(#ident) }
    }
}

/// Returns whether the last segment of a path is one of these words.
fn is_named(ty: &Type, words: &[&str]) -> bool {
    let is_word = |ident: &Ident| words.iter().any(|word| ident == word);
    matches!(tokens::bare(ty), Type::Path(path) if path.path.segments.last().is_some_and(|last| is_word(&last.ident)))
}

/// Replaces elided lifetimes by `'static`, as in `Cow<'_, str>` and `Cow<str>`: the type is named in the return type of the method too,
/// where they would be another lifetime. An argument is decoded into owned data, so it is `'static`.
fn owned(ty: TokenStream) -> TokenStream {
    tokens::with_static(tokens::with_lifetime_of_cow(ty), &|name| name == "_")
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::owned;

    #[test]
    fn elided_lifetimes_become_static() {
        for (written, expected) in [
            (quote!(Cow<str>), quote!(Cow<'static, str>)),
            (quote!(Vec<(std::borrow::Cow<[u8]>, u8)>), quote!(Vec<(std::borrow::Cow<'static, [u8]>, u8)>)),
            (quote!(Cow<'_, str>), quote!(Cow<'static, str>)),
            (quote!(Name<'_>), quote!(Name<'static>)),
            (quote!(Vec<String>), quote!(Vec<String>)),
        ] {
            assert_eq!(owned(written).to_string(), expected.to_string());
        }
    }
}
