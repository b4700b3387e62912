//! Generates the code of an item: its spec, and its call.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::Path;
use syn::spanned::Spanned;

use crate::args::Args;
use crate::item_kind::ItemKind;
use crate::model::{Kind, Offer};

/// Returns the imports of the scope with the generated code. All other paths in it start with `__mcp`.
pub(crate) fn imports(krate: Option<&Path>) -> TokenStream {
    let private = private(krate);
    quote! {
        use #private as __mcp;
        #[allow(unused_imports)]
        use __mcp::asking::*;
    }
}

/// Returns the path of the module that generated code uses.
pub(crate) fn private(krate: Option<&Path>) -> TokenStream {
    match krate {
        Some(path) => quote!(#path::__private),
        None => quote!(::mcp_core::__private),
    }
}

/// Generates the body of the function that returns the spec.
pub(crate) fn spec(offer: &Offer, args: &Args) -> TokenStream {
    let Offer { item_kind, name, description, settings, output, .. } = offer;
    // By hygiene, a variable is visible only to tokens of the same span. All uses must clone this token, also in `quote_spanned!`.
    let spec = quote!(__spec);
    let checks = offer.arguments().filter(|(_, argument)| !argument.is_custom).map(|(param, argument)| {
        let (cfgs, ty) = (&param.cfgs, &argument.ty);
        let check = quote_spanned!(ty.span()=> (&&&&__mcp::Probe::<#ty>::NEW).__mcp_argument(););
        quote!(#(#cfgs)* #check)
    });
    let needs = offer.lent().map(|(param, ty)| {
        let cfgs = &param.cfgs;
        let need = quote_spanned!(ty.span()=> (&&&__mcp::Probe::<#ty>::NEW).__mcp_need(#spec););
        quote!(#(#cfgs)* let #spec = #need)
    });
    let (input, completers) = (input(offer, args), completers(offer));
    let (new, kind) = (item_kind.spec_type(), item_kind.marker_type());
    let address = offer.address.iter().map(|address| &address.text);
    let output = quote_spanned!(output.span()=> (&&&&&__mcp::Probe::<(#kind, #output)>::NEW).__mcp_output(#spec););
    quote! {
        #(#checks)*
        let __spec = #new::new(#(#address,)* #name, #description) #(#settings)*;
        #input
        #completers
        #(#needs)*
        let __spec = #output
        __spec
    }
}

/// Adds the schema of the arguments to the spec. Only prompts also need the names in order.
fn input(offer: &Offer, args: &Args) -> Option<TokenStream> {
    offer.arguments().next()?;
    let ty = &args.ty;
    let names = offer.arguments().filter(|(_, argument)| offer.item_kind == ItemKind::Prompt && !argument.is_flattened);
    let names = names.map(|(param, argument)| {
        let (cfgs, name) = (&param.cfgs, &argument.json_name);
        quote!(#(#cfgs)* #name)
    });
    // With a flattened argument serde cannot reject unknown keys, so the schema does. Resources do not need this: their
    // arguments are the variables of the template.
    let is_open = offer.item_kind != ItemKind::Resource && offer.arguments().any(|(_, argument)| argument.is_flattened);
    let closed = is_open.then(|| quote!(let __spec = __spec.closed();));
    Some(quote! {
        let __spec = (&&__mcp::Probe::<#ty>::NEW).__mcp_input(__spec, &[#(#names),*]);
        #closed
    })
}

/// Adds the completion functions to the spec.
fn completers(offer: &Offer) -> TokenStream {
    let completed = offer.arguments().filter_map(|(param, argument)| Some((param, argument, argument.complete.as_ref()?)));
    let completers = completed.map(|(param, argument, function)| {
        let (cfgs, name) = (&param.cfgs, &argument.json_name);
        let completer = quote_spanned!(function.span()=> __mcp::completer(#function));
        quote!(#(#cfgs)* let __spec = __spec.complete(#name, #completer);)
    });
    completers.collect()
}

/// Generates the body of the function that starts a call.
pub(crate) fn call(offer: &Offer, args: &Args, function: &TokenStream) -> TokenStream {
    let context = quote!(__context);
    let (mut lent, mut values) = (Vec::new(), Vec::new());
    if offer.takes_self {
        values.push(quote!(&*__set));
    }
    let mut given = args.values.iter();
    for (index, param) in offer.params.iter().enumerate() {
        let cfgs = &param.cfgs;
        match &param.kind {
            Kind::Argument(_) => {
                let value = given.next();
                values.push(quote!(#(#cfgs)* #value));
            }
            Kind::Lent(ty) => {
                let value = format_ident!("__lent{index}", span = ty.span());
                let borrow = quote_spanned!(ty.span()=> (&&&__mcp::Probe::<#ty>::NEW).__mcp_borrow(&#context););
                lent.push(quote!(#(#cfgs)* let #value = #borrow));
                values.push(quote!(#(#cfgs)* &#value));
            }
        }
    }
    let Args { ty, pattern, .. } = args;
    let set = offer.takes_self.then(|| quote!(let __set = __mcp::Clone::clone(__set);));
    let (address, work) = (address(offer), work(offer, &quote!(#function(#(#values),*))));
    let context = (!lent.is_empty()).then(|| quote!(let #context = __mcp::context(__call);));
    quote! {
        let #pattern = match (&&__mcp::Probe::<#ty>::NEW).__mcp_decode(&__call) {
            __mcp::Ok(__args) => __args,
            __mcp::Err(__refusal) => return __mcp::ToolFuture::ready(__refusal),
        };
        #address
        #context
        #(#lent)*
        #set
        #work
    }
}

/// Saves the requested address of a resource before the call is consumed.
fn address(offer: &Offer) -> Option<TokenStream> {
    (offer.item_kind == ItemKind::Resource).then(|| quote!(let __kind = __mcp::AsResource::of(&__call);))
}

/// Calls the function and converts its return value to a result.
fn work(offer: &Offer, called: &TokenStream) -> TokenStream {
    let kind = if offer.item_kind == ItemKind::Resource { quote!(__kind) } else { offer.item_kind.marker_type() };
    // With this span, the error for a future that is not `Send` is reported at the name of the function.
    let span = offer.ident.span();
    if offer.is_async {
        let done = quote!((&&&&&&__mcp::Returned::new(#kind, #called.await)).__mcp_result());
        quote_spanned!(span=> __mcp::ToolFuture::future(async move { #done }))
    } else {
        let done = quote!((&&&&&&__mcp::Returned::new(#kind, #called)).__mcp_result());
        quote_spanned!(span=> __mcp::ToolFuture::blocking(move || { #done }))
    }
}
