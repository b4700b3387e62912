//! `#[toolset]` on an impl block.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Attribute, ImplItem, ImplItemFn, ItemImpl, Meta, Path};

use crate::attr::{self, ToolAttr};
use crate::check::{self, Place};
use crate::errors::Errors;
use crate::model::{Argument, Kind, Preset, Tool};
use crate::{expand, set, tokens};

/// The impl block as it was, and beside it an impl of `Toolset`.
pub(crate) fn toolset(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let krate = attr::toolset(attribute, &mut errors);
    let Ok(mut block) = syn::parse2::<ItemImpl>(item.clone()) else {
        let first: TokenStream = item.clone().into_iter().take(1).collect();
        errors.at(first, "#[toolset] goes on an impl block: `#[toolset] impl Counter { #[tool] fn .. }`");
        let errors = errors.finish::<()>(None).unwrap_err();
        return quote!(#item #errors);
    };
    if let Some((path, _)) = &block.trait_ {
        errors.at(path, "#[toolset] goes on an impl block without a trait: move the tools to `impl Type { .. }`");
    }
    let is_trait_impl = block.trait_.is_some();
    let attributes = attributes(&block);
    let tools = tools(&mut block, &mut errors);
    let (body, errors) = match errors.finish(Some(tools)) {
        Ok(tools) => (set::body(&tools, block.self_ty.span()), None),
        Err(errors) => (quote!(loop {}), Some(errors)),
    };
    if is_trait_impl {
        return quote!(#block #errors);
    }
    let cfgs: Vec<_> = block.attrs.iter().filter(|attr| attr.path().is_ident("cfg")).collect();
    let (private, imports) = (expand::private(krate.as_ref()), expand::imports(krate.as_ref()));
    let implementation = set::implementation(&block, &body);
    quote! {
        #block
        #(#cfgs)*
        #[cfg(panic = "abort")]
        const _: () = #private::PANIC_IS_ABORT;
        #(#cfgs)*
        #[allow(deprecated)]
        const _: () = {
            #imports
            #(#attributes)*
            #implementation
        };
        #errors
    }
}

/// The paths of the `#[tool]` attributes. Generated code imports them, so that authors do and rustc sees them used.
fn attributes(block: &ItemImpl) -> Vec<TokenStream> {
    let mut paths: Vec<Path> = Vec::new();
    for item in &block.items {
        let ImplItem::Fn(method) = item else { continue };
        for path in method.attrs.iter().filter(|attr| is_tool(attr)).map(Attribute::path) {
            if !paths.iter().any(|known| quote!(#known).to_string() == quote!(#path).to_string()) {
                paths.push(path.clone());
            }
        }
    }
    paths.iter().map(|path| quote_spanned!(path.span()=> #[allow(unused_imports)] use #path as _;)).collect()
}

/// The tools of the block, whose methods lose their `#[tool]`.
fn tools(block: &mut ItemImpl, errors: &mut Errors) -> Vec<Tool> {
    let mut tools = Vec::new();
    let mut found = false;
    let generics = block.generics.clone();
    let this = block.self_ty.to_token_stream();
    for item in &mut block.items {
        let ImplItem::Fn(method) = item else { continue };
        if let Some(attr) = take_attribute(method, errors) {
            found = true;
            let tool = check::tool(attr, &method.attrs, &mut method.sig, Place::Toolset, errors);
            check::allow_many(&mut method.attrs, &method.sig);
            tools.extend(tool.map(|tool| settle(tool, &generics, &this, errors)));
        }
    }
    if !found && block.trait_.is_none() {
        errors.at(&block.self_ty, "#[toolset] found no tool here: put #[tool] on the methods that are tools");
    }
    distinct(&tools, errors);
    tools
}

/// What `#[tool(..)]` says on a method, if it is there.
fn take_attribute(method: &mut ImplItemFn, errors: &mut Errors) -> Option<ToolAttr> {
    let (ours, others): (Vec<_>, Vec<_>) = method.attrs.drain(..).partition(is_tool);
    method.attrs = others;
    let mut ours = ours.into_iter();
    let first = ours.next()?;
    for second in ours {
        errors.at(second, "#[tool] is given twice: keep one of them");
    }
    let tokens = match first.meta {
        Meta::List(list) => list.tokens,
        _ => TokenStream::new(),
    };
    let attr = ToolAttr::parse(tokens, errors);
    if let Some(path) = &attr.krate {
        errors.at(path, "say this once, above the impl block: #[toolset(crate = ..)]");
    }
    Some(attr)
}

fn is_tool(attr: &Attribute) -> bool {
    attr.path().segments.last().is_some_and(|segment| segment.ident == "tool")
}

/// Makes sure that the types derived code must name can be named outside the impl block.
fn settle(mut tool: Tool, generics: &syn::Generics, this: &TokenStream, errors: &mut Errors) -> Tool {
    let is_parameter = |word: &syn::Ident| match word {
        _ if word == "Self" => !generics.params.is_empty(),
        _ => generics.type_params().any(|param| param.ident == *word),
    };
    for param in &mut tool.params {
        let Kind::Argument(argument) = &mut param.kind else { continue };
        let Argument { ty, default, is_concrete, .. } = &mut **argument;
        if !*is_concrete && default.is_none() {
            continue;
        }
        if tokens::mentions(quote!(#ty), &is_parameter) {
            errors.at(
                &ty,
                "an argument with a default or a conversion cannot have a type that depends on the impl's parameters",
            );
            continue;
        }
        *ty = syn::Type::Verbatim(tokens::without_self(quote!(#ty), this));
        if let Some(Preset::Value(value)) = default
            && tokens::mentions(quote!(#value), &|word| word == "Self")
        {
            *value = syn::Expr::Verbatim(tokens::without_self(quote!(#value), this));
        }
    }
    tool
}

/// Two methods under one `cfg` each may share a name; the others may not.
fn distinct(tools: &[Tool], errors: &mut Errors) {
    let certain: Vec<&Tool> = tools.iter().filter(|tool| tool.cfgs.is_empty()).collect();
    for (index, tool) in certain.iter().enumerate() {
        if certain[..index].iter().any(|earlier| earlier.name.value() == tool.name.value()) {
            let name = tool.name.value();
            errors
                .at(&tool.name, format!("two tools are named `{name}`: give one another name with #[tool(name = \"..\")]"));
        }
    }
}
