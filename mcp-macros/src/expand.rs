//! An offer as code: what it tells clients, and what it does when it is called.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::Path;
use syn::spanned::Spanned;

use crate::args::Args;
use crate::model::{Kind, Offer};
use crate::what::What;

/// Opens the scope that generated code stands in: everything it names comes from here.
pub(crate) fn imports(krate: Option<&Path>) -> TokenStream {
    let private = private(krate);
    quote! {
        use #private as __mcp;
        #[allow(unused_imports)]
        use __mcp::asking::*;
    }
}

/// The path to what generated code names.
pub(crate) fn private(krate: Option<&Path>) -> TokenStream {
    match krate {
        Some(path) => quote!(#path::__private),
        None => quote!(::mcp_core::__private),
    }
}

/// The body of a function that returns the spec.
pub(crate) fn spec(offer: &Offer, args: &Args) -> TokenStream {
    let Offer { what, name, description, settings, output, .. } = offer;
    // A variable is known where it was written only, which must be one place for all its uses: here.
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
    let (new, kind) = (what.spec(), what.kind());
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

/// Gives the spec the schema of the arguments; only prompts show them in order.
fn input(offer: &Offer, args: &Args) -> Option<TokenStream> {
    offer.arguments().next()?;
    let ty = &args.ty;
    let names = offer.arguments().filter(|(_, argument)| offer.what == What::Prompt && !argument.is_flattened);
    let names = names.map(|(param, argument)| {
        let (cfgs, name) = (&param.cfgs, &argument.json_name);
        quote!(#(#cfgs)* #name)
    });
    // Serde cannot refuse what it does not know beside a flattened argument, so the schema does. An address has no more
    // variables than its template.
    let is_open = offer.what != What::Resource && offer.arguments().any(|(_, argument)| argument.is_flattened);
    let closed = is_open.then(|| quote!(let __spec = __spec.closed();));
    Some(quote! {
        let __spec = (&&__mcp::Probe::<#ty>::NEW).__mcp_input(__spec, &[#(#names),*]);
        #closed
    })
}

/// Gives the spec the functions that complete arguments.
fn completers(offer: &Offer) -> TokenStream {
    let completed = offer.arguments().filter_map(|(param, argument)| Some((param, argument, argument.complete.as_ref()?)));
    let completers = completed.map(|(param, argument, function)| {
        let (cfgs, name) = (&param.cfgs, &argument.json_name);
        let completer = quote_spanned!(function.span()=> __mcp::completer(#function));
        quote!(#(#cfgs)* let __spec = __spec.complete(#name, #completer);)
    });
    completers.collect()
}

/// The body of a function that begins a call.
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

/// Keeps the address that a resource is read at.
fn address(offer: &Offer) -> Option<TokenStream> {
    (offer.what == What::Resource).then(|| quote!(let __kind = __mcp::AsResource::of(&__call);))
}

/// Calls the function and makes a result of what it returns.
fn work(offer: &Offer, called: &TokenStream) -> TokenStream {
    let kind = if offer.what == What::Resource { quote!(__kind) } else { offer.what.kind() };
    // A future that cannot be sent is told where the function is named.
    let span = offer.ident.span();
    if offer.is_async {
        let done = quote!((&&&&&&__mcp::Returned::new(#kind, #called.await)).__mcp_result());
        quote_spanned!(span=> __mcp::ToolFuture::future(async move { #done }))
    } else {
        let done = quote!((&&&&&&__mcp::Returned::new(#kind, #called)).__mcp_result());
        quote_spanned!(span=> __mcp::ToolFuture::blocking(move || { #done }))
    }
}
