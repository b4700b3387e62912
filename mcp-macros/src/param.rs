//! Parses parameters: owned ones are arguments from the caller, borrowed ones are provided by the server.

use quote::ToTokens;
use syn::{GenericArgument, Pat, PatType, PathArguments, Type, TypeReference};

use crate::errors::Errors;
use crate::item_kind::ItemKind;
use crate::model::{Argument, Param, ParamKind};
use crate::param_attr::{Keys, Sorted, completer, preset};
use crate::tokens;

/// Parses a parameter, and removes the attributes that rustc does not accept on parameters.
pub(crate) fn take(item_kind: ItemKind, param: &mut PatType, errors: &mut Errors) -> Option<Param> {
    let attrs = Sorted::take(&mut param.attrs);
    let cfgs = attrs.cfgs.clone();
    let kind = match tokens::bare(&param.ty) {
        Type::Reference(reference) => ParamKind::ServerState(Box::new(server_state(reference, &attrs, errors)?)),
        ty => ParamKind::Argument(Box::new(argument(item_kind, &param.pat, ty, attrs, errors)?)),
    };
    Some(Param { cfgs, kind })
}

/// Checks a borrowed parameter. Returns its type without the `&`.
fn server_state(reference: &TypeReference, attrs: &Sorted, errors: &mut Errors) -> Option<Type> {
    let elem = tokens::bare(&reference.elem);
    let fault = match elem {
        _ if tokens::is_word(elem, "str") => {
            "a borrowed parameter is a value of the server; for an argument from the caller use String".to_owned()
        }
        Type::Slice(slice) => format!(
            "a borrowed parameter is a value of the server; for an argument from the caller use Vec<{}>",
            slice.elem.to_token_stream()
        ),
        _ if reference.mutability.is_some() => {
            "calls run in parallel, so values of the server are borrowed as `&T`: use a Mutex or an atomic to change them"
                .to_owned()
        }
        _ if reference.lifetime.is_some() => {
            format!("a value of the server is borrowed for one call: write `&{}` without a lifetime", elem.to_token_stream())
        }
        Type::TraitObject(object) => format!(
            "a value of the server has a sized type: pass an `Arc<{0}>` to `.state(..)` and borrow it as `&Arc<{0}>`",
            object.to_token_stream()
        ),
        Type::ImplTrait(_) => "values of the server are found by their type: name the type instead of `impl`".to_owned(),
        Type::Reference(_) => "remove one `&`: a value of the server is borrowed as `&T`".to_owned(),
        _ => return with_no_attributes(attrs, errors).then(|| elem.clone()),
    };
    errors.at(reference, fault);
    None
}

fn with_no_attributes(attrs: &Sorted, errors: &mut Errors) -> bool {
    let mut none = true;
    for attr in attrs.defaults.iter().chain(&attrs.derived).chain(&attrs.completes) {
        errors.at(attr, "a borrowed parameter is a value of the server, not an argument: remove this, or remove the `&`");
        none = false;
    }
    none
}

fn argument(item_kind: ItemKind, pat: &Pat, ty: &Type, attrs: Sorted, errors: &mut Errors) -> Option<Argument> {
    let ident = match pat {
        Pat::Ident(pat) if pat.by_ref.is_none() && pat.subpat.is_none() => Some(pat.ident.clone()),
        Pat::Wild(wild) => {
            errors.at(wild, "callers send arguments by name: give this one a name, such as `_unused: T`");
            None
        }
        pat => {
            errors.at(pat, "callers send arguments by name: write `name: T` here and destructure it in the function");
            None
        }
    };
    let fault = type_fault(ty);
    if let Some((place, fault)) = &fault {
        errors.at(place, fault);
    }
    let default = preset(&attrs.defaults, errors);
    let complete = completer(item_kind, &attrs.completes, errors);
    let keys = Keys::read(&attrs.derived);
    if let (true, Some(attr)) = (keys.is_flattened, attrs.completes.first()) {
        errors.at(attr, "a flattened argument cannot be completed, since it is several arguments: remove this");
    }
    if let (Some(_), Some(place)) = (attrs.defaults.first(), &keys.default) {
        errors.at(place, "this argument has two defaults: keep `#[default(..)]` or `#[serde(default)]`");
    }
    if let Some(place) = &keys.skip {
        errors.at(place, "callers cannot send a skipped argument: use a local variable in the function instead");
    }
    let ident = ident.filter(|_| fault.is_none())?;
    let name = ident.to_string();
    Some(Argument {
        ty: ty.clone(),
        attrs: attrs.docs.into_iter().chain(attrs.derived).collect(),
        is_flattened: keys.is_flattened,
        is_custom: keys.is_custom,
        is_concrete: keys.is_custom || keys.default.is_some() || keys.is_conditional || !attrs.cfgs.is_empty(),
        json_name: keys.rename.unwrap_or_else(|| name.strip_prefix("r#").unwrap_or(&name).to_owned()),
        default,
        complete,
        ident,
    })
}

/// Returns the part of a type that cannot be an argument, with the reason, as far as the syntax shows it.
fn type_fault(ty: &Type) -> Option<(&Type, String)> {
    match ty {
        Type::ImplTrait(_) => {
            Some((ty, "an argument has one type, which clients see: name it instead of `impl`".to_owned()))
        }
        Type::TraitObject(_) => {
            Some((ty, "an argument has one type, which clients see: name it instead of `dyn`".to_owned()))
        }
        Type::Reference(reference) if tokens::is_word(&reference.elem, "str") => {
            Some((ty, "an argument owns its data: use String".to_owned()))
        }
        Type::Reference(reference) => match tokens::bare(&reference.elem) {
            Type::Slice(slice) => {
                Some((ty, format!("an argument owns its data: use Vec<{}>", slice.elem.to_token_stream())))
            }
            elem => type_fault(elem),
        },
        Type::Group(group) => type_fault(&group.elem),
        Type::Paren(paren) => type_fault(&paren.elem),
        Type::Array(array) => type_fault(&array.elem),
        Type::Tuple(tuple) => tuple.elems.iter().find_map(type_fault),
        Type::Path(path) => {
            let arguments = path.path.segments.iter().filter_map(|segment| match &segment.arguments {
                PathArguments::AngleBracketed(arguments) => Some(&arguments.args),
                _ => None,
            });
            arguments.flatten().find_map(|argument| match argument {
                // Such as `Box<dyn Shape>`: it is valid with `#[serde(deserialize_with)]`.
                GenericArgument::Type(Type::TraitObject(_)) => None,
                GenericArgument::Type(ty) => type_fault(ty),
                _ => None,
            })
        }
        _ => None,
    }
}
