//! What a function must be like to be a tool, a prompt or a resource: every mistake is noted, at its place, with what to write instead.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::{Attribute, FnArg, GenericParam, Lit, LitStr, Receiver, ReceiverKind, ReturnType, Safety, Signature, Type};

use crate::attr::{self, Attr};
use crate::errors::Errors;
use crate::model::{Kind, Offer, Param};
use crate::what::What;
use crate::{docs, param, tokens, value};

/// Where a function stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// In a module, or in a block of code.
    Free,
    /// In an impl block with `#[toolset]`.
    Toolset,
}

/// Makes an offer of a function, and takes the attributes off its parameters.
pub(crate) fn offer(
    what: What,
    attr: Attr,
    attrs: &[Attribute],
    sig: &mut Signature,
    place: Place,
    errors: &mut Errors,
) -> Option<Offer> {
    qualifiers(what, sig, errors);
    generics(what, sig, errors);
    let name = name(what, &attr, sig, errors);
    let description = description(what, &attr, attrs, sig, errors);
    let output = output(what, sig, errors);
    let receiver = sig.receiver();
    if let Some(receiver) = receiver {
        self::receiver(what, receiver, place, errors);
    }
    let (takes_self, is_async) = (receiver.is_some(), sig.asyncness.is_some());
    if let (Some(key), false) = (&attr.asks_first, is_async) {
        errors.at(key, "only an `async fn` can ask its client: make it one, or remove `asks_first`");
    }
    let params = params(what, sig, errors);
    if let Some(address) = &attr.address {
        address.check(&params, errors);
    }
    Some(Offer {
        what,
        address: attr.address,
        ident: sig.ident.clone(),
        name: name?,
        description: description?,
        settings: attr.settings,
        is_async,
        takes_self,
        params,
        output: output?,
        cfgs: attrs.iter().filter(|attr| attr.path().is_ident("cfg")).cloned().collect(),
    })
}

/// Notes what else the function is to be made into, and takes it off.
pub(crate) fn only_one(what: What, attrs: &mut Vec<Attribute>, errors: &mut Errors) {
    attrs.retain(|attr| {
        let Some(other) = What::of(attr) else { return true };
        errors.at(attr, second(what, other));
        false
    });
}

fn second(what: What, other: What) -> String {
    match other == what {
        true => format!("#[{what}] is given twice: keep one of them"),
        false => format!("a function is a {what} or a {other}: write a second function that calls this one"),
    }
}

/// A function has as many parameters as its callers need, which clippy would have in a struct.
pub(crate) fn allow_many(attrs: &mut Vec<Attribute>, sig: &Signature) {
    const CLIPPY_ALLOWS: usize = 7;
    if sig.inputs.len() > CLIPPY_ALLOWS {
        attrs.push(syn::parse_quote!(#[allow(clippy::too_many_arguments)]));
    }
}

fn qualifiers(what: What, sig: &Signature, errors: &mut Errors) {
    if let Some(token) = &sig.constness {
        errors.at(token, format!("a {what} is a plain `fn` or an `async fn`: remove `const`"));
    }
    if let Safety::Unsafe(token) = &sig.safety {
        errors.at(
            token,
            format!("a {what} cannot be unsafe, since any client may call it: check the arguments in a safe function"),
        );
    }
    if let Some(abi) = &sig.abi {
        errors.at(abi, format!("a {what} is a plain `fn` or an `async fn`: remove `extern`"));
    }
    if let Some(variadic) = &sig.variadic {
        errors.at(variadic, format!("a {what} has a fixed list of parameters: for any number of arguments use Vec<T>"));
    }
}

fn generics(what: What, sig: &Signature, errors: &mut Errors) {
    for param in &sig.generics.params {
        let fault = match param {
            GenericParam::Lifetime(_) => {
                format!(
                    "a {what} has no lifetimes: arguments and results are owned, and what the server lends is `&T` without one"
                )
            }
            _ => format!(
                "a {what} cannot be generic, since JSON names no types: write a type here, or put #[toolset] on a generic impl"
            ),
        };
        errors.at(param, fault);
    }
}

fn name(what: What, attr: &Attr, sig: &Signature, errors: &mut Errors) -> Option<LitStr> {
    if let Some(name) = &attr.name {
        return Some(name.clone());
    }
    let name = sig.ident.unraw().to_string();
    if let Some(fault) = attr::name_fault(what, &name) {
        errors.at(&sig.ident, format!("{fault}: give it another name with {}", what.with_key("name")));
        return None;
    }
    Some(LitStr::new(&name, sig.ident.span()))
}

fn description(what: What, attr: &Attr, attrs: &[Attribute], sig: &Signature, errors: &mut Errors) -> Option<TokenStream> {
    let chosen = format!("{} chooses {what}s by their description, and this one", what.reader());
    let Some(given) = &attr.description else {
        let Some(text) = docs::text(attrs) else {
            let (told, key) = (if what == What::Resource { "is" } else { "does" }, what.with_key("description"));
            errors.at(&sig.ident, format!("{chosen} has none: write `/// What it {told}.` above it, or {key}"));
            return None;
        };
        // What the compiler reads from a file has blank lines around it still.
        let is_read_later = syn::parse2::<LitStr>(text.clone()).is_err();
        return Some(if is_read_later { quote!(#text.trim()) } else { text });
    };
    if let Some(Lit::Str(text)) = value::literal(given)
        && text.value().trim().is_empty()
    {
        errors.at(text, format!("{chosen} is empty"));
        return None;
    }
    Some(given.to_token_stream())
}

fn output(what: What, sig: &Signature, errors: &mut Errors) -> Option<Type> {
    let ty = match &sig.output {
        ReturnType::Default if what == What::Tool => return Some(syn::parse_quote!(())),
        ReturnType::Default => {
            errors.at(&sig.ident, format!("a {what} returns something to its caller: {}", what.results()));
            return None;
        }
        ReturnType::Type(_, ty) => ty,
    };
    let fault = match tokens::bare(ty) {
        Type::Never(_) if what == What::Tool => {
            "a tool returns something to its caller; if there is nothing to say, return ()".to_owned()
        }
        Type::Never(_) => format!("a {what} returns something to its caller: {}", what.results()),
        _ if !tokens::mentions(quote!(#ty), &|word| word == "impl") => return Some((**ty).clone()),
        _ => {
            let why = match what {
                What::Tool => "the type of a result becomes the tool's output schema",
                _ => "the type of a result says what clients get",
            };
            format!("{why}: name it instead of `impl`, with `async fn` for a future")
        }
    };
    errors.at(ty, fault);
    None
}

fn receiver(what: What, receiver: &Receiver, place: Place, errors: &mut Errors) {
    if place == Place::Free {
        errors.at(
            receiver,
            format!("a method is a {what} only in an impl block with #[toolset]: put #[toolset] above the `impl`"),
        );
        return;
    }
    match &receiver.kind {
        ReceiverKind::Reference(_, None, None) => {}
        ReceiverKind::Reference(_, _, Some(_)) => {
            errors.at(receiver, "calls run in parallel: take `&self`, and put what changes behind a Mutex or an atomic");
        }
        ReceiverKind::Reference(_, Some(_), _) => errors.at(receiver, "write `&self` without a lifetime"),
        _ => errors.at(receiver, format!("a {what} is called more than once: take `&self`")),
    }
}

fn params(what: What, sig: &mut Signature, errors: &mut Errors) -> Vec<Param> {
    let mut params: Vec<Param> = Vec::new();
    for input in &mut sig.inputs {
        if let FnArg::Typed(typed) = input
            && let Some(param) = param::take(what, typed, errors)
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
