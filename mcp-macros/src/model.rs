//! A tool, prompt or resource as the checks leave it: nothing here can be wrong any more.

use proc_macro2::TokenStream;
use syn::{Attribute, Expr, Ident, LitStr, Path, Type};

use crate::address::Address;
use crate::what::What;

/// A function or method that is a tool, a prompt or a resource.
pub(crate) struct Offer {
    pub(crate) what: What,
    pub(crate) ident: Ident,
    pub(crate) name: LitStr,
    /// Where a resource is.
    pub(crate) address: Option<Address>,
    /// An expression.
    pub(crate) description: TokenStream,
    /// Calls on the spec.
    pub(crate) settings: Vec<TokenStream>,
    pub(crate) is_async: bool,
    pub(crate) takes_self: bool,
    pub(crate) params: Vec<Param>,
    pub(crate) output: Type,
    /// `#[cfg(..)]`, for all that is generated.
    pub(crate) cfgs: Vec<Attribute>,
}

/// A parameter.
pub(crate) struct Param {
    pub(crate) cfgs: Vec<Attribute>,
    pub(crate) kind: Kind,
}

/// Whose a parameter is.
pub(crate) enum Kind {
    /// Owned: the caller's.
    Argument(Box<Argument>),
    /// Borrowed: the server's. The type is without the `&`.
    Lent(Box<Type>),
}

/// What a caller sends by name.
pub(crate) struct Argument {
    pub(crate) ident: Ident,
    pub(crate) ty: Type,
    /// Doc comments, `#[serde(..)]`, `#[schemars(..)]`.
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) default: Option<Preset>,
    /// The function that completes it.
    pub(crate) complete: Option<Path>,
    /// Its fields take the place of the property.
    pub(crate) is_flattened: bool,
    /// Attributes say how it is read or described, so its type needs not know.
    pub(crate) is_custom: bool,
    /// Derived code must know its type by name; otherwise a type parameter stands for it.
    pub(crate) is_concrete: bool,
    /// What callers call it.
    pub(crate) json_name: String,
}

/// The value of an argument that the caller leaves out.
pub(crate) enum Preset {
    /// `#[default]`
    OfType,
    /// `#[default(value)]`
    Value(Expr),
}

impl Argument {
    /// Whether a wrapper says that the caller left it out. Where attributes say how it is read, serde says so itself.
    pub(crate) fn is_preset(&self) -> bool {
        self.default.is_some() && !self.is_custom
    }
}

impl Offer {
    /// What no other of its kind may have: the address of a resource, else the name.
    pub(crate) fn key(&self) -> &LitStr {
        self.address.as_ref().map_or(&self.name, |address| &address.text)
    }

    /// The parameters that callers fill.
    pub(crate) fn arguments(&self) -> impl Iterator<Item = (&Param, &Argument)> {
        self.params.iter().filter_map(|param| match &param.kind {
            Kind::Argument(argument) => Some((param, &**argument)),
            Kind::Lent(_) => None,
        })
    }

    /// The types that the server lends.
    pub(crate) fn lent(&self) -> impl Iterator<Item = (&Param, &Type)> {
        self.params.iter().filter_map(|param| match &param.kind {
            Kind::Lent(ty) => Some((param, &**ty)),
            Kind::Argument(_) => None,
        })
    }
}
