//! Checks that a function can be a tool, a prompt or a resource. Every error is reported at its location, with a fix.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::{Attribute, FnArg, GenericParam, Lit, LitStr, Receiver, ReceiverKind, ReturnType, Safety, Signature, Type};

use crate::attr::{self, Attr};
use crate::errors::Errors;
use crate::item_kind::ItemKind;
use crate::model::{ItemModel, Param, ParamKind};
use crate::{docs, param, tokens, value};

/// Whether a function is an item of a module or a method.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// A function in a module or in a block of code.
    Free,
    /// A method in an impl block with `#[toolset]`.
    Toolset,
}

/// Builds the model of a function, and removes our attributes from its parameters. Returns `None` if a required part is invalid.
pub(crate) fn item_model(
    item_kind: ItemKind,
    attr: Attr,
    attrs: &[Attribute],
    sig: &mut Signature,
    place: Place,
    errors: &mut Errors,
) -> Option<ItemModel> {
    qualifiers(item_kind, sig, errors);
    generics(item_kind, sig, errors);
    let name = name(item_kind, &attr, sig, errors);
    let description = description(item_kind, &attr, attrs, sig, errors);
    let output = output(item_kind, sig, errors);
    let receiver = sig.receiver();
    if let Some(receiver) = receiver {
        self::receiver(item_kind, receiver, place, errors);
    }
    let (takes_self, is_async) = (receiver.is_some(), sig.asyncness.is_some());
    if let (Some(key), false) = (&attr.asks_first, is_async) {
        errors.at(key, "only an `async fn` can ask its client: make it one, or remove `asks_first`");
    }
    let params = params(item_kind, sig, errors);
    if let Some(uri) = &attr.uri {
        uri.check(&params, errors);
    }
    Some(ItemModel {
        item_kind,
        uri: attr.uri,
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

/// Reports and removes a second `#[tool]`, `#[prompt]` or `#[resource]` on the function.
pub(crate) fn only_one(item_kind: ItemKind, attrs: &mut Vec<Attribute>, errors: &mut Errors) {
    attrs.retain(|attr| {
        let Some(other) = ItemKind::from_attribute(attr) else { return true };
        errors.at(attr, second(item_kind, other));
        false
    });
}

fn second(item_kind: ItemKind, other: ItemKind) -> String {
    match other == item_kind {
        true => format!("#[{item_kind}] is given twice: keep one of them"),
        false => format!("a function is a {item_kind} or a {other}: write a second function that calls this one"),
    }
}

/// Allows many parameters: they are the arguments of the tool, so clippy's advice to use a struct does not apply.
pub(crate) fn allow_many(attrs: &mut Vec<Attribute>, sig: &Signature) {
    const CLIPPY_ALLOWS: usize = 7;
    if sig.inputs.len() > CLIPPY_ALLOWS {
        attrs.push(syn::parse_quote!(#[allow(clippy::too_many_arguments)]));
    }
}

fn qualifiers(item_kind: ItemKind, sig: &Signature, errors: &mut Errors) {
    if let Some(token) = &sig.constness {
        errors.at(token, format!("a {item_kind} is a plain `fn` or an `async fn`: remove `const`"));
    }
    if let Safety::Unsafe(token) = &sig.safety {
        errors.at(
            token,
            format!("a {item_kind} cannot be unsafe, since any client may call it: check the arguments in a safe function"),
        );
    }
    if let Some(abi) = &sig.abi {
        errors.at(abi, format!("a {item_kind} is a plain `fn` or an `async fn`: remove `extern`"));
    }
    if let Some(variadic) = &sig.variadic {
        errors.at(variadic, format!("a {item_kind} has a fixed list of parameters: for any number of arguments use Vec<T>"));
    }
}

fn generics(item_kind: ItemKind, sig: &Signature, errors: &mut Errors) {
    for param in &sig.generics.params {
        let fault = match param {
            GenericParam::Lifetime(_) => {
                format!(
                    "a {item_kind} cannot have lifetimes: arguments and results are owned, and values of the server are `&T` without a lifetime"
                )
            }
            _ => format!(
                "a {item_kind} cannot be generic, since a caller cannot choose a type: write a type here, or put #[toolset] on a generic impl"
            ),
        };
        errors.at(param, fault);
    }
}

fn name(item_kind: ItemKind, attr: &Attr, sig: &Signature, errors: &mut Errors) -> Option<LitStr> {
    if let Some(name) = &attr.name {
        return Some(name.clone());
    }
    let name = sig.ident.unraw().to_string();
    if let Some(fault) = attr::name_fault(item_kind, &name) {
        errors.at(&sig.ident, format!("{fault}: give it another name with {}", item_kind.with_key("name")));
        return None;
    }
    Some(LitStr::new(&name, sig.ident.span()))
}

fn description(
    item_kind: ItemKind,
    attr: &Attr,
    attrs: &[Attribute],
    sig: &Signature,
    errors: &mut Errors,
) -> Option<TokenStream> {
    let chosen = format!("{} chooses {item_kind}s by their description, and this one", item_kind.reader());
    let Some(given) = &attr.description else {
        let Some(text) = docs::text(attrs) else {
            let (verb, key) =
                (if item_kind == ItemKind::Resource { "is" } else { "does" }, item_kind.with_key("description"));
            errors.at(&sig.ident, format!("{chosen} has none: write `/// What it {verb}.` above it, or {key}"));
            return None;
        };
        // Text from `include_str!` is not known here, so it is trimmed at run time.
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

fn output(item_kind: ItemKind, sig: &Signature, errors: &mut Errors) -> Option<Type> {
    let ty = match &sig.output {
        ReturnType::Default if item_kind == ItemKind::Tool => return Some(syn::parse_quote!(())),
        ReturnType::Default => {
            errors.at(&sig.ident, format!("a {item_kind} must return a value: {}", item_kind.return_types()));
            return None;
        }
        ReturnType::Type(_, ty) => ty,
    };
    let fault = match tokens::bare(ty) {
        Type::Never(_) if item_kind == ItemKind::Tool => {
            "a tool must return to its caller: if it has no result, return ()".to_owned()
        }
        Type::Never(_) => format!("a {item_kind} must return a value: {}", item_kind.return_types()),
        _ if !tokens::mentions(quote!(#ty), &|word| word == "impl") => return Some((**ty).clone()),
        _ => {
            let why = match item_kind {
                ItemKind::Tool => "the return type determines the tool's output schema",
                _ => "the return type determines the kind of result",
            };
            format!("{why}: write a concrete type instead of `impl`, and `async fn` for a future")
        }
    };
    errors.at(ty, fault);
    None
}

fn receiver(item_kind: ItemKind, receiver: &Receiver, place: Place, errors: &mut Errors) {
    if place == Place::Free {
        errors.at(
            receiver,
            format!("a method is a {item_kind} only in an impl block with #[toolset]: put #[toolset] above the `impl`"),
        );
        return;
    }
    match &receiver.kind {
        ReceiverKind::Reference(_, None, None) => {}
        ReceiverKind::Reference(_, _, Some(_)) => {
            errors.at(receiver, "calls run in parallel: take `&self`, and use a Mutex or an atomic for fields that change");
        }
        ReceiverKind::Reference(_, Some(_), _) => errors.at(receiver, "write `&self` without a lifetime"),
        _ => errors.at(receiver, format!("a {item_kind} is called more than once: take `&self`")),
    }
}

fn params(item_kind: ItemKind, sig: &mut Signature, errors: &mut Errors) -> Vec<Param> {
    let mut params: Vec<Param> = Vec::new();
    for input in &mut sig.inputs {
        if let FnArg::Typed(typed) = input
            && let Some(param) = param::take(item_kind, typed, errors)
        {
            distinct(&params, &param, errors);
            params.push(param);
        }
    }
    params
}

/// Reports two arguments of the same name. `#[serde(rename)]` makes that possible, and the derives do not report it.
fn distinct(earlier: &[Param], param: &Param, errors: &mut Errors) {
    let ParamKind::Argument(argument) = &param.kind else { return };
    let is_same = |earlier: &Param| {
        let certain = earlier.cfgs.is_empty() && param.cfgs.is_empty();
        certain && matches!(&earlier.kind, ParamKind::Argument(other) if other.json_name == argument.json_name)
    };
    if !argument.is_flattened && earlier.iter().any(is_same) {
        errors.at(&argument.ident, format!("two arguments are named `{}`: rename one of them", argument.json_name));
    }
}
