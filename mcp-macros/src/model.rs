//! The model of a tool, prompt or resource after all checks: it is always valid.

use proc_macro2::TokenStream;
use syn::{Attribute, Expr, Ident, LitStr, Path, Type};

use crate::item_kind::ItemKind;
use crate::resource_uri::ResourceUri;

/// A function or method that is a tool, a prompt or a resource.
pub(crate) struct ItemModel {
    pub(crate) item_kind: ItemKind,
    pub(crate) ident: Ident,
    pub(crate) name: LitStr,
    /// The URI of a resource. `None` for tools and prompts.
    pub(crate) uri: Option<ResourceUri>,
    /// An expression of type `&str`.
    pub(crate) description: TokenStream,
    /// Method calls on the spec, such as `.title("..")`.
    pub(crate) settings: Vec<TokenStream>,
    pub(crate) is_async: bool,
    pub(crate) takes_self: bool,
    pub(crate) params: Vec<Param>,
    pub(crate) output: Type,
    /// The `#[cfg(..)]` attributes of the function, which apply to all generated code.
    pub(crate) cfgs: Vec<Attribute>,
}

/// A parameter.
pub(crate) struct Param {
    pub(crate) cfgs: Vec<Attribute>,
    pub(crate) kind: ParamKind,
}

/// The source of the value of a parameter.
pub(crate) enum ParamKind {
    /// Owned: an argument, sent by the caller.
    Argument(Box<Argument>),
    /// Borrowed: `&Context`, or a value of the server. The type is without the `&`.
    ServerState(Box<Type>),
}

/// An argument that callers send by name.
pub(crate) struct Argument {
    pub(crate) ident: Ident,
    pub(crate) ty: Type,
    /// Doc comments, `#[serde(..)]`, `#[schemars(..)]`.
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) default: Option<ArgumentDefault>,
    /// The function that suggests values for the argument (`#[complete(..)]`).
    pub(crate) complete: Option<Path>,
    /// Has `#[serde(flatten)]`: the fields of the argument are arguments themselves.
    pub(crate) is_flattened: bool,
    /// `#[serde]` or `#[schemars]` attributes replace its own decoding or schema, so its type needs no impl.
    pub(crate) is_custom: bool,
    /// The generated struct has its type in the field. Otherwise the field has a type parameter.
    pub(crate) is_concrete: bool,
    /// The name of the argument in JSON.
    pub(crate) json_name: String,
}

/// The default of an argument.
pub(crate) enum ArgumentDefault {
    /// `#[default]`: the default of the type.
    OfType,
    /// `#[default(value)]`: this value.
    Value(Expr),
}

impl Argument {
    /// Returns whether a missing value is represented by the type `ArgumentDefault`. With custom decoding, serde inserts the
    /// default itself.
    pub(crate) fn is_preset(&self) -> bool {
        self.default.is_some() && !self.is_custom
    }
}

impl ItemModel {
    /// Returns the key that must be unique among items of the same kind: the URI of a resource, otherwise the name.
    pub(crate) fn key(&self) -> &LitStr {
        self.uri.as_ref().map_or(&self.name, |uri| &uri.text)
    }

    /// Returns the parameters that callers send.
    pub(crate) fn arguments(&self) -> impl Iterator<Item = (&Param, &Argument)> {
        self.params.iter().filter_map(|param| match &param.kind {
            ParamKind::Argument(argument) => Some((param, &**argument)),
            ParamKind::ServerState(_) => None,
        })
    }

    /// Returns the parameters that the server provides.
    pub(crate) fn server_state(&self) -> impl Iterator<Item = (&Param, &Type)> {
        self.params.iter().filter_map(|param| match &param.kind {
            ParamKind::ServerState(ty) => Some((param, &**ty)),
            ParamKind::Argument(_) => None,
        })
    }
}
