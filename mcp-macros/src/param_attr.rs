//! Parses the attributes of a parameter.

use proc_macro2::TokenTree;
use quote::ToTokens;
use syn::{Attribute, Meta, Path};

use crate::errors::Errors;
use crate::item_kind::ItemKind;
use crate::model::ArgumentDefault;
use crate::tokens;

/// The attributes of a parameter, sorted by purpose.
#[derive(Default)]
pub(crate) struct Sorted {
    pub(crate) cfgs: Vec<Attribute>,
    pub(crate) docs: Vec<Attribute>,
    pub(crate) defaults: Vec<Attribute>,
    pub(crate) completes: Vec<Attribute>,
    /// The attributes for the derives: `serde`, `schemars`, and `cfg_attr` of these.
    pub(crate) derived: Vec<Attribute>,
}

impl Sorted {
    pub(crate) fn take(attrs: &mut Vec<Attribute>) -> Sorted {
        let mut sorted = Sorted::default();
        for attr in std::mem::take(attrs) {
            match attr.path().get_ident().map(ToString::to_string).as_deref() {
                Some("doc") => sorted.docs.push(attr),
                Some("default") => sorted.defaults.push(attr),
                Some("complete") => sorted.completes.push(attr),
                Some("serde" | "schemars") => sorted.derived.push(attr),
                Some("cfg_attr") if is_for_derives(&attr) => sorted.derived.push(attr),
                Some("cfg") => {
                    sorted.cfgs.push(attr.clone());
                    attrs.push(attr);
                }
                _ => attrs.push(attr),
            }
        }
        sorted
    }
}

fn is_for_derives(attr: &Attribute) -> bool {
    let Meta::List(list) = &attr.meta else { return false };
    tokens::keys(list.tokens.clone()).iter().skip(1).any(|(key, _)| key == "serde" || key == "schemars" || key == "doc")
}

/// Parses `#[default(..)]`.
pub(crate) fn preset(defaults: &[Attribute], errors: &mut Errors) -> Option<ArgumentDefault> {
    let mut defaults = defaults.iter();
    let attr = defaults.next()?;
    for second in defaults {
        errors.at(second, "`#[default]` is given twice: keep one of them");
    }
    match &attr.meta {
        Meta::Path(_) => Some(ArgumentDefault::OfType),
        Meta::NameValue(meta) => Some(ArgumentDefault::Value(meta.value.clone())),
        Meta::List(list) if list.tokens.is_empty() => {
            errors.at(attr, "write `#[default(value)]`, or `#[default]` for the default of the type");
            None
        }
        Meta::List(list) => errors.attempt(list.parse_args()).map(ArgumentDefault::Value),
    }
}

/// Parses `#[complete(..)]` to the path of the completion function.
pub(crate) fn completer(item_kind: ItemKind, completes: &[Attribute], errors: &mut Errors) -> Option<Path> {
    let mut completes = completes.iter();
    let attr = completes.next()?;
    for second in completes {
        errors.at(second, "`#[complete]` is given twice: keep one of them");
    }
    if item_kind == ItemKind::Tool {
        errors.at(attr, "arguments of a tool cannot be completed, since a model fills them in: remove this");
        return None;
    }
    let path = match &attr.meta {
        Meta::List(list) => list.parse_args().ok(),
        Meta::NameValue(meta) => syn::parse2(meta.value.to_token_stream()).ok(),
        Meta::Path(_) => None,
    };
    if path.is_none() {
        errors.at(attr, "name the function that completes it: `#[complete(path::to::function)]`");
    }
    path
}

/// The settings of serde and schemars that change the generated code.
#[derive(Default)]
pub(crate) struct Keys {
    pub(crate) default: Option<TokenTree>,
    pub(crate) skip: Option<TokenTree>,
    pub(crate) rename: Option<String>,
    pub(crate) is_flattened: bool,
    pub(crate) is_custom: bool,
    pub(crate) is_conditional: bool,
}

impl Keys {
    pub(crate) fn read(attrs: &[Attribute]) -> Keys {
        let mut found = Keys::default();
        for attr in attrs {
            let Meta::List(list) = &attr.meta else { continue };
            found.is_conditional |= list.path.is_ident("cfg_attr");
            for (key, rest) in tokens::keys(list.tokens.clone()) {
                match key.to_string().as_str() {
                    "default" => found.default = Some(key.into()),
                    "skip" | "skip_deserializing" => found.skip = Some(key.into()),
                    "flatten" => found.is_flattened = true,
                    "with" | "deserialize_with" | "schema_with" => found.is_custom = true,
                    "rename" if list.path.is_ident("serde") => found.rename = rename(&rest),
                    _ => {}
                }
            }
        }
        found
    }
}

/// Returns the name in `= "name"` or in `(deserialize = "name")`.
fn rename(rest: &[TokenTree]) -> Option<String> {
    match rest {
        [TokenTree::Punct(_), TokenTree::Literal(name)] => {
            Some(syn::parse_str::<syn::LitStr>(&name.to_string()).ok()?.value())
        }
        [TokenTree::Group(list)] => {
            let keys = tokens::keys(list.stream());
            let (_, rest) = keys.iter().find(|(key, _)| key == "deserialize")?;
            rename(rest)
        }
        _ => None,
    }
}
