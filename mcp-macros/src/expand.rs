//! A tool as code: what it tells clients, and what it does when it is called.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::Path;
use syn::spanned::Spanned;

use crate::args::{Args, default_function};
use crate::model::{Kind, Tool};

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

/// The body of a function that returns the tool's `ToolSpec`.
pub(crate) fn spec(tool: &Tool, args: &Args) -> TokenStream {
    let Tool { name, description, settings, output, .. } = tool;
    // A variable is known where it was written only, which must be one place for all its uses: here.
    let spec = quote!(__spec);
    let checks = tool.arguments().filter(|(_, argument)| !argument.is_custom).map(|(param, argument)| {
        let (cfgs, ty) = (&param.cfgs, &argument.ty);
        let check = quote_spanned!(ty.span()=> (&&&&__mcp::Probe::<#ty>::NEW).__mcp_argument(););
        quote!(#(#cfgs)* #check)
    });
    let needs = tool.lent().map(|(param, ty)| {
        let cfgs = &param.cfgs;
        let need = quote_spanned!(ty.span()=> (&&&__mcp::Probe::<#ty>::NEW).__mcp_need(#spec););
        quote!(#(#cfgs)* let #spec = #need)
    });
    let args = &args.ty;
    let input = tool.arguments().next().map(|_| quote!(let __spec = (&&__mcp::Probe::<#args>::NEW).__mcp_input(__spec);));
    // Serde cannot refuse what it does not know beside a flattened argument, so the schema does.
    let closed = tool.arguments().any(|(_, argument)| argument.is_flattened).then(|| quote!(let __spec = __spec.closed();));
    let output = quote_spanned!(output.span()=> (&&&&&__mcp::Probe::<#output>::NEW).__mcp_output(#spec););
    quote! {
        #(#checks)*
        let __spec = __mcp::ToolSpec::new(#name, #description) #(#settings)*;
        #input
        #closed
        #(#needs)*
        let __spec = #output
        __spec
    }
}

/// The body of a function that begins a call of the tool.
pub(crate) fn call(tool: &Tool, args: &Args, function: &TokenStream) -> TokenStream {
    let context = quote!(__context);
    let mut lent = Vec::new();
    let mut values = Vec::new();
    if tool.takes_self {
        values.push(quote!(&*__set));
    }
    for (index, param) in tool.params.iter().enumerate() {
        let cfgs = &param.cfgs;
        match &param.kind {
            Kind::Argument(argument) => {
                let ident = &argument.ident;
                let or_default = argument.is_preset().then(|| default_function(ident));
                let or_default = or_default.map(|default| quote!(.or(#default)));
                values.push(quote!(#(#cfgs)* __args.#ident #or_default));
            }
            Kind::Lent(ty) => {
                let value = format_ident!("__lent{index}", span = ty.span());
                let borrow = quote_spanned!(ty.span()=> (&&&__mcp::Probe::<#ty>::NEW).__mcp_borrow(&#context););
                lent.push(quote!(#(#cfgs)* let #value = #borrow));
                values.push(quote!(#(#cfgs)* &#value));
            }
        }
    }
    let args = &args.ty;
    let read = tool.arguments().next().map_or_else(|| quote!(_), |_| quote!(__args));
    let set = tool.takes_self.then(|| quote!(let __set = __mcp::Clone::clone(__set);));
    let context = (!lent.is_empty()).then(|| quote!(let #context = __mcp::context(__call);));
    // A future that cannot be sent is told where the tool is named.
    let span = tool.ident.span();
    let work = if tool.is_async {
        let done = quote!((&&&&&__mcp::Slot::new(#function(#(#values),*).await)).__mcp_result());
        quote_spanned!(span=> __mcp::Calling::future(async move { #done }))
    } else {
        let done = quote!((&&&&&__mcp::Slot::new(#function(#(#values),*))).__mcp_result());
        quote_spanned!(span=> __mcp::Calling::blocking(move || { #done }))
    };
    quote! {
        let #read = match (&&__mcp::Probe::<#args>::NEW).__mcp_decode(&__call) {
            __mcp::Ok(__args) => __args,
            __mcp::Err(__refusal) => return __mcp::Calling::ready(__refusal),
        };
        #context
        #(#lent)*
        #set
        #work
    }
}
