//! The address of a resource: what stands first in `#[resource("notes://{id}")]`.

use proc_macro2::TokenStream;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Ident, LitStr, Token};

use crate::errors::Errors;
use crate::model::{Argument, Kind, Param};
use crate::template::Template;

const HOW: &str = "say first where it is: #[resource(\"notes://{id}\")] or #[resource(\"motd://today\")]";

/// An address that can be taken apart.
pub(crate) struct Address {
    pub(crate) text: LitStr,
    template: Template,
}

impl Address {
    /// Takes the address off the entries of an attribute.
    pub(crate) fn take(tokens: TokenStream, errors: &mut Errors) -> (Option<Address>, TokenStream) {
        let parser = |input: ParseStream<'_>| {
            let text: Option<LitStr> = if input.peek(LitStr) { Some(input.parse()?) } else { None };
            if text.is_some() && !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
            Ok((text, input.parse::<TokenStream>()?))
        };
        let Some((text, entries)) = errors.attempt(parser.parse2(tokens.clone())) else {
            return (None, TokenStream::new());
        };
        let Some(text) = text else {
            // What stands in its place, if anything does; an entry may be right but for that.
            let first: TokenStream = tokens.into_iter().take(1).collect();
            errors.at(first, HOW);
            return (None, TokenStream::new());
        };
        let address = errors.attempt(Address::read(text));
        (address, entries)
    }

    fn read(text: LitStr) -> syn::Result<Address> {
        if text.value().trim().is_empty() {
            return Err(syn::Error::new(text.span(), HOW));
        }
        match Template::parse(&text.value()) {
            Ok(template) => Ok(Address { text, template }),
            Err(fault) => Err(syn::Error::new(text.span(), format!("no address can be taken apart by this: {fault}"))),
        }
    }

    /// Notes each variable that has no parameter, and each parameter that is no variable.
    pub(crate) fn check(&self, params: &[Param], errors: &mut Errors) {
        let arguments: Vec<&Argument> = params.iter().filter_map(argument).collect();
        let variables: Vec<&str> = self.template.variables().collect();
        let is_flattened = arguments.iter().any(|argument| argument.is_flattened);
        let strangers: Vec<&&Argument> = arguments
            .iter()
            .filter(|argument| !argument.is_flattened && !variables.contains(&argument.json_name.as_str()))
            .collect();
        let missing: Vec<&str> = variables
            .iter()
            .copied()
            .filter(|name| !is_flattened && !arguments.iter().any(|argument| argument.json_name == *name))
            .collect();
        let (text, known) = (self.text.value(), list(&variables));
        match (&missing[..], &strangers[..]) {
            // One of each is one mistake.
            ([name], [stranger]) => {
                errors.at(&stranger.ident, format!("`{text}` has no variable `{}`: is it `{name}`?", stranger.json_name));
            }
            _ => {
                for name in &missing {
                    let fault = format!("the variable `{name}` has no parameter: add `{}: String`", parameter(name));
                    errors.add(syn::Error::new(self.text.span(), fault));
                }
                for stranger in strangers {
                    let fault = format!("`{text}` has no variable `{}`: it has {known}", stranger.json_name);
                    errors.at(&stranger.ident, fault);
                }
            }
        }
    }
}

fn argument(param: &Param) -> Option<&Argument> {
    match &param.kind {
        Kind::Argument(argument) => Some(argument),
        Kind::Lent(_) => None,
    }
}

fn list(variables: &[&str]) -> String {
    match variables {
        [] => "none".to_owned(),
        names => names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "),
    }
}

/// How a parameter of that name is written.
fn parameter(name: &str) -> String {
    let is_plain = |input: ParseStream<'_>| input.parse::<Ident>();
    let is_keyword = is_plain.parse_str(name).is_err() && Ident::parse_any.parse_str(name).is_ok();
    if is_keyword { format!("r#{name}") } else { name.to_owned() }
}
