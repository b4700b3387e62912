//! Generates the code of an item: its spec, and its call.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::Path;
use syn::spanned::Spanned;

use crate::args::Args;
use crate::item_kind::ItemKind;
use crate::model::{ItemModel, ParamKind};

/// Returns the imports of the scope with the generated code. All other paths in it start with `__mcp`.
pub(crate) fn imports(krate: Option<&Path>) -> TokenStream {
    let private = private(krate);
    quote! {
        use #private as __mcp;
        #[allow(unused_imports)]
        use __mcp::dispatch::*;
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
pub(crate) fn spec(model: &ItemModel, args: &Args) -> TokenStream {
    let ItemModel { item_kind, name, description, settings, output, .. } = model;
    // By hygiene, a variable is visible only to tokens of the same span. All uses must clone this token, also in `quote_spanned!`.
    let spec = quote!(__spec);
    let checks = model.arguments().filter(|(_, argument)| !argument.is_custom).map(|(param, argument)| {
        let (cfgs, ty) = (&param.cfgs, &argument.ty);
        let check = quote_spanned!(ty.span()=> (&&&&__mcp::Probe::<#ty>::NEW).__mcp_argument(););
        quote!(#(#cfgs)* #check)
    });
    let needs = model.server_state().map(|(param, ty)| {
        let cfgs = &param.cfgs;
        let need = quote_spanned!(ty.span()=> (&&&__mcp::Probe::<#ty>::NEW).__mcp_need(#spec););
        quote!(#(#cfgs)* let #spec = #need)
    });
    let (input, completers) = (input(model, args), completers(model));
    let (new, kind) = (item_kind.spec_type(), item_kind.marker_type());
    let uri = model.uri.iter().map(|uri| &uri.text);
    let output = quote_spanned!(output.span()=> (&&&&&&__mcp::Probe::<(#kind, #output)>::NEW).__mcp_output(#spec););
    quote! {
        #(#checks)*
        let __spec = #new::new(#(#uri,)* #name, #description) #(#settings)*;
        #input
        #completers
        #(#needs)*
        let __spec = #output
        __spec
    }
}

/// Adds the schema of the arguments to the spec. Only prompts also need the names in order.
fn input(model: &ItemModel, args: &Args) -> Option<TokenStream> {
    model.arguments().next()?;
    let ty = &args.ty;
    let names = model.arguments().filter(|(_, argument)| model.item_kind == ItemKind::Prompt && !argument.is_flattened);
    let names = names.map(|(param, argument)| {
        let (cfgs, name) = (&param.cfgs, &argument.json_name);
        quote!(#(#cfgs)* #name)
    });
    // With a flattened argument serde cannot reject unknown keys, so the schema does. Resources do not need this: their
    // arguments are the variables of the template.
    let is_open = model.item_kind != ItemKind::Resource && model.arguments().any(|(_, argument)| argument.is_flattened);
    let closed = is_open.then(|| quote!(let __spec = __spec.closed();));
    Some(quote! {
        let __spec = (&&__mcp::Probe::<#ty>::NEW).__mcp_input(__spec, &[#(#names),*]);
        #closed
    })
}

/// Adds the completion functions to the spec.
fn completers(model: &ItemModel) -> TokenStream {
    let completed = model.arguments().filter_map(|(param, argument)| Some((param, argument, argument.complete.as_ref()?)));
    let completers = completed.map(|(param, argument, function)| {
        let (cfgs, name) = (&param.cfgs, &argument.json_name);
        let completer = quote_spanned!(function.span()=> __mcp::completer(#function));
        quote!(#(#cfgs)* let __spec = __spec.complete(#name, #completer);)
    });
    completers.collect()
}

/// Generates the body of the function that starts a call.
pub(crate) fn call(model: &ItemModel, args: &Args, function: &TokenStream) -> TokenStream {
    let context = quote!(__context);
    let (mut state, mut values) = (Vec::new(), Vec::new());
    if model.takes_self {
        values.push(quote!(&*__set));
    }
    let mut given = args.values.iter();
    for (index, param) in model.params.iter().enumerate() {
        let cfgs = &param.cfgs;
        match &param.kind {
            ParamKind::Argument(_) => {
                let value = given.next();
                values.push(quote!(#(#cfgs)* #value));
            }
            ParamKind::ServerState(ty) => {
                let value = format_ident!("__state{index}", span = ty.span());
                let borrow = quote_spanned!(ty.span()=> (&&&__mcp::Probe::<#ty>::NEW).__mcp_borrow(&#context););
                state.push(quote!(#(#cfgs)* let #value = #borrow));
                values.push(quote!(#(#cfgs)* &#value));
            }
        }
    }
    let Args { ty, pattern, .. } = args;
    let set = model.takes_self.then(|| quote!(let __set = __mcp::Clone::clone(__set);));
    let (uri, work) = (uri(model), work(model, &quote!(#function(#(#values),*))));
    let context = (!state.is_empty()).then(|| quote!(let #context = __mcp::context(__call);));
    quote! {
        let #pattern = match (&&__mcp::Probe::<#ty>::NEW).__mcp_decode(&__call) {
            __mcp::Ok(__args) => __args,
            __mcp::Err(__refusal) => return __mcp::ToolFuture::ready(__refusal),
        };
        #uri
        #context
        #(#state)*
        #set
        #work
    }
}

/// Saves the requested URI of a resource before the call is consumed.
fn uri(model: &ItemModel) -> Option<TokenStream> {
    (model.item_kind == ItemKind::Resource).then(|| quote!(let __kind = __mcp::AsResource::of(&__call);))
}

/// Calls the function and converts its return value to a result.
fn work(model: &ItemModel, called: &TokenStream) -> TokenStream {
    let kind = if model.item_kind == ItemKind::Resource { quote!(__kind) } else { model.item_kind.marker_type() };
    // With this span, the error for a future that is not `Send` is reported at the name of the function.
    let span = model.ident.span();
    if model.is_async {
        let done = quote!((&&&&__mcp::ReturnValue::new(#kind, #called.await)).__mcp_result());
        quote_spanned!(span=> __mcp::ToolFuture::future(async move { #done }))
    } else {
        let done = quote!((&&&&__mcp::ReturnValue::new(#kind, #called)).__mcp_result());
        quote_spanned!(span=> __mcp::ToolFuture::blocking(move || { #done }))
    }
}
