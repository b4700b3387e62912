//! A tool as code: what it tells clients, and what it does when it is called.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::Path;
use syn::spanned::Spanned;

use crate::args::Args;
use crate::model::{Kind, Tool};

/// Opens the scope that generated code stands in: everything it names comes from here.
pub(crate) fn imports(krate: Option<&Path>) -> TokenStream {
    let private = private(krate);
    quote! {
        use #private as __mcp;
        #[allow(unused_imports)]
        use __mcp::{Into as _, IntoIterator as _, Iterator as _};
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
    let checks = tool.arguments().filter(|(_, argument)| !argument.is_custom).map(|(param, argument)| {
        let (cfgs, ty) = (&param.cfgs, &argument.ty);
        let shown = argument.default.is_some().then(|| quote_spanned!(ty.span()=> __mcp::shown::<#ty, _>();));
        let check = quote_spanned!(ty.span()=> (&&&__mcp::Probe::<#ty>::NEW).__mcp_argument(););
        quote!(#(#cfgs)* { #check #shown })
    });
    let needs = tool.lent().map(|(param, ty)| {
        let cfgs = &param.cfgs;
        let need = quote_spanned!(ty.span()=> (&&__mcp::Probe::<#ty>::NEW).__mcp_need(__spec););
        quote!(#(#cfgs)* let __spec = #need)
    });
    let args = &args.ty;
    let input = tool.arguments().next().map(|_| quote!(let __spec = (&&__mcp::Probe::<#args>::NEW).__mcp_input(__spec);));
    let output = quote_spanned!(output.span()=> (&&__mcp::Probe::<#output>::NEW).__mcp_output(__spec););
    quote! {
        #[allow(unused_imports)]
        use __mcp::{Both as _, Input as _, NeedNothing as _, NeedState as _, Neither as _, NoInput as _};
        #[allow(unused_imports)]
        use __mcp::{OnlyDescribed as _, OnlyRead as _, Output as _, OutputMissing as _};
        #(#checks)*
        let __spec = __mcp::ToolSpec::new(#name, #description) #(#settings)*;
        #input
        #(#needs)*
        let __spec = #output
        __spec
    }
}

/// The body of a function that begins a call of the tool.
pub(crate) fn call(tool: &Tool, args: &Args, function: &TokenStream) -> TokenStream {
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
                values.push(quote!(#(#cfgs)* __args.#ident));
            }
            Kind::Lent(ty) => {
                let value = format_ident!("__lent{index}");
                let borrow = quote_spanned!(ty.span()=> (&&&__mcp::Probe::<#ty>::NEW).__mcp_borrow(&__context););
                lent.push(quote!(#(#cfgs)* let #value = #borrow));
                values.push(quote!(#(#cfgs)* &#value));
            }
        }
    }
    let args = &args.ty;
    let read = tool.arguments().next().map_or_else(|| quote!(_), |_| quote!(__args));
    let set = tool.takes_self.then(|| quote!(let __set = __mcp::Arc::clone(__set);));
    let context = (!lent.is_empty()).then(|| quote!(let __context = __mcp::context(__call);));
    // A future that cannot be sent is told where the tool is named.
    let span = tool.ident.span();
    let work = if tool.is_async {
        let done = quote!((&&&__mcp::Slot::new(#function(#(#values),*).await)).__mcp_result());
        quote_spanned!(span=> __mcp::Calling::future(async move { #done }))
    } else {
        let done = quote!((&&&__mcp::Slot::new(#function(#(#values),*))).__mcp_result());
        quote_spanned!(span=> __mcp::Calling::blocking(move || { #done }))
    };
    quote! {
        #[allow(unused_imports)]
        use __mcp::{Borrow as _, BorrowContext as _, BorrowNothing as _, Decode as _, NoDecode as _};
        #[allow(unused_imports)]
        use __mcp::{Explain as _, Give as _, Withhold as _};
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
