//! What a function must be like to be a tool: every mistake is noted, at its place, with what to write instead.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::{Attribute, FnArg, GenericParam, Lit, LitStr, Receiver, ReceiverKind, ReturnType, Safety, Signature, Type};

use crate::attr::{self, ToolAttr};
use crate::errors::Errors;
use crate::model::{Kind, Param, Tool};
use crate::{docs, param, tokens, value};

/// Where a tool stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// In a module, or in a block of code.
    Free,
    /// In an impl block with `#[toolset]`.
    Toolset,
}

/// Makes a tool of a function, and takes the attributes off its parameters.
pub(crate) fn tool(
    attr: ToolAttr,
    attrs: &[Attribute],
    sig: &mut Signature,
    place: Place,
    errors: &mut Errors,
) -> Option<Tool> {
    qualifiers(sig, errors);
    generics(sig, errors);
    let name = name(&attr, sig, errors);
    let description = description(&attr, attrs, sig, errors);
    let output = output(&sig.output, errors);
    let receiver = sig.receiver();
    if let Some(receiver) = receiver {
        self::receiver(receiver, place, errors);
    }
    let takes_self = receiver.is_some();
    let params = params(sig, errors);
    Some(Tool {
        ident: sig.ident.clone(),
        name: name?,
        description: description?,
        settings: attr.settings,
        is_async: sig.asyncness.is_some(),
        takes_self,
        params,
        output: output?,
        cfgs: attrs.iter().filter(|attr| attr.path().is_ident("cfg")).cloned().collect(),
    })
}

/// A tool has as many parameters as its callers need, which clippy would have in a struct.
pub(crate) fn allow_many(attrs: &mut Vec<Attribute>, sig: &Signature) {
    const CLIPPY_ALLOWS: usize = 7;
    if sig.inputs.len() > CLIPPY_ALLOWS {
        attrs.push(syn::parse_quote!(#[allow(clippy::too_many_arguments)]));
    }
}

fn qualifiers(sig: &Signature, errors: &mut Errors) {
    if let Some(token) = &sig.constness {
        errors.at(token, "a tool is a plain `fn` or an `async fn`: remove `const`");
    }
    if let Safety::Unsafe(token) = &sig.safety {
        errors.at(token, "a tool cannot be unsafe, since any client may call it: check the arguments in a safe function");
    }
    if let Some(abi) = &sig.abi {
        errors.at(abi, "a tool is a plain `fn` or an `async fn`: remove `extern`");
    }
    if let Some(variadic) = &sig.variadic {
        errors.at(variadic, "a tool has a fixed list of parameters: for any number of arguments use Vec<T>");
    }
}

fn generics(sig: &Signature, errors: &mut Errors) {
    for param in &sig.generics.params {
        let fault = match param {
            GenericParam::Lifetime(_) => {
                "a tool has no lifetimes: arguments are owned, and what the server lends is `&T` without one"
            }
            _ => {
                "a tool cannot be generic, since JSON names no types: write a type here, or put #[toolset] on a generic impl"
            }
        };
        errors.at(param, fault);
    }
}

fn name(attr: &ToolAttr, sig: &Signature, errors: &mut Errors) -> Option<LitStr> {
    if let Some(name) = &attr.name {
        return Some(name.clone());
    }
    let name = sig.ident.unraw().to_string();
    if let Some(fault) = attr::name_fault(&name) {
        errors.at(&sig.ident, format!("{fault}: give it another name with #[tool(name = \"..\")]"));
        return None;
    }
    Some(LitStr::new(&name, sig.ident.span()))
}

fn description(attr: &ToolAttr, attrs: &[Attribute], sig: &Signature, errors: &mut Errors) -> Option<TokenStream> {
    const HOW: &str = "write `/// What it does.` above it, or #[tool(description = \"..\")]";
    let Some(given) = &attr.description else {
        let Some(text) = docs::text(attrs) else {
            errors.at(&sig.ident, format!("a model chooses tools by their description, and this one has none: {HOW}"));
            return None;
        };
        // What the compiler reads from a file has blank lines around it still.
        let is_read_later = syn::parse2::<LitStr>(text.clone()).is_err();
        return Some(if is_read_later { quote!(#text.trim()) } else { text });
    };
    if let Some(Lit::Str(text)) = value::literal(given)
        && text.value().trim().is_empty()
    {
        errors.at(text, "a model chooses tools by their description, and this one is empty");
        return None;
    }
    Some(given.to_token_stream())
}

fn output(output: &ReturnType, errors: &mut Errors) -> Option<Type> {
    let ReturnType::Type(_, ty) = output else {
        return Some(syn::parse_quote!(()));
    };
    if matches!(tokens::bare(ty), Type::Never(_)) {
        errors.at(ty, "a tool returns something to its caller; if there is nothing to say, return ()");
        return None;
    }
    if tokens::mentions(quote!(#ty), &|word| word == "impl") {
        errors.at(
            ty,
            "the type of a result becomes the tool's output schema: name it instead of `impl`, with `async fn` for a future",
        );
        return None;
    }
    Some((**ty).clone())
}

fn receiver(receiver: &Receiver, place: Place, errors: &mut Errors) {
    if place == Place::Free {
        errors.at(receiver, "a method is a tool only in an impl block with #[toolset]: put #[toolset] above the `impl`");
        return;
    }
    match &receiver.kind {
        ReceiverKind::Reference(_, None, None) => {}
        ReceiverKind::Reference(_, _, Some(_)) => {
            errors.at(receiver, "calls run in parallel: take `&self`, and put what changes behind a Mutex or an atomic");
        }
        ReceiverKind::Reference(_, Some(_), _) => errors.at(receiver, "write `&self` without a lifetime"),
        _ => errors.at(receiver, "a tool is called more than once: take `&self`"),
    }
}

fn params(sig: &mut Signature, errors: &mut Errors) -> Vec<Param> {
    let mut params: Vec<Param> = Vec::new();
    for input in &mut sig.inputs {
        if let FnArg::Typed(typed) = input
            && let Some(param) = param::take(typed, errors)
        {
            distinct(&params, &param, errors);
            params.push(param);
        }
    }
    params
}

/// `#[serde(rename)]` can give two arguments one name, which no derive notices.
fn distinct(earlier: &[Param], param: &Param, errors: &mut Errors) {
    let Kind::Argument(argument) = &param.kind else { return };
    let is_same = |earlier: &Param| {
        let certain = earlier.cfgs.is_empty() && param.cfgs.is_empty();
        certain && matches!(&earlier.kind, Kind::Argument(other) if other.json_name == argument.json_name)
    };
    if !argument.is_flattened && earlier.iter().any(is_same) {
        errors.at(&argument.ident, format!("two arguments are named `{}`: rename one of them", argument.json_name));
    }
}
