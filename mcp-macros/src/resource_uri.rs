//! The URI of a resource: the first argument of `#[resource("notes://{id}")]`.

use proc_macro2::TokenStream;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Ident, LitStr, Token};

use crate::errors::Errors;
use crate::model::{Argument, Param, ParamKind};
use crate::template::Template;

const EXPECTED_URI: &str =
    "the first argument must be a URI or a URI template: #[resource(\"motd://today\")] or #[resource(\"notes://{id}\")]";

/// A URI or URI template, with its parsed form.
pub(crate) struct ResourceUri {
    pub(crate) text: LitStr,
    template: Template,
}

impl ResourceUri {
    /// Splits the arguments of an attribute into the URI and the entries after it.
    pub(crate) fn take(tokens: TokenStream, errors: &mut Errors) -> (Option<ResourceUri>, TokenStream) {
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
            // Reports only the missing URI: the entries may be valid.
            let first: TokenStream = tokens.into_iter().take(1).collect();
            errors.at(first, EXPECTED_URI);
            return (None, TokenStream::new());
        };
        let uri = errors.attempt(ResourceUri::read(text));
        (uri, entries)
    }

    fn read(text: LitStr) -> syn::Result<ResourceUri> {
        if text.value().trim().is_empty() {
            return Err(syn::Error::new(text.span(), EXPECTED_URI));
        }
        match Template::parse(&text.value()) {
            Ok(template) => Ok(ResourceUri { text, template }),
            Err(fault) => Err(syn::Error::new(text.span(), format!("invalid URI template: {fault}"))),
        }
    }

    /// Reports each variable without a parameter, and each parameter that is not a variable.
    pub(crate) fn check(&self, params: &[Param], errors: &mut Errors) {
        let arguments: Vec<&Argument> = params.iter().filter_map(argument).collect();
        let variables: Vec<&str> = self.template.variables().collect();
        let is_flattened = arguments.iter().any(|argument| argument.is_flattened);
        let unknown: Vec<&&Argument> = arguments
            .iter()
            .filter(|argument| !argument.is_flattened && !variables.contains(&argument.json_name.as_str()))
            .collect();
        let missing: Vec<&str> = variables
            .iter()
            .copied()
            .filter(|name| !is_flattened && !arguments.iter().any(|argument| argument.json_name == *name))
            .collect();
        let (text, known) = (self.text.value(), list(&variables));
        match (&missing[..], &unknown[..]) {
            // One missing and one unknown name are probably one mistake: a misspelt parameter.
            ([name], [extra]) => {
                errors.at(&extra.ident, format!("`{text}` has no variable `{}`, did you mean `{name}`?", extra.json_name));
            }
            _ => {
                for name in &missing {
                    let fault = format!("the variable `{name}` has no parameter: add `{}: String`", parameter(name));
                    errors.add(syn::Error::new(self.text.span(), fault));
                }
                for extra in unknown {
                    let fault = format!("`{text}` has no variable `{}`, its variables are: {known}", extra.json_name);
                    errors.at(&extra.ident, fault);
                }
            }
        }
    }
}

fn argument(param: &Param) -> Option<&Argument> {
    match &param.kind {
        ParamKind::Argument(argument) => Some(argument),
        ParamKind::ServerState(_) => None,
    }
}

fn list(variables: &[&str]) -> String {
    match variables {
        [] => "none".to_owned(),
        names => names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "),
    }
}

/// Returns the name as a parameter is written: keywords are raw identifiers.
fn parameter(name: &str) -> String {
    let is_plain = |input: ParseStream<'_>| input.parse::<Ident>();
    let is_keyword = is_plain.parse_str(name).is_err() && Ident::parse_any.parse_str(name).is_ok();
    if is_keyword { format!("r#{name}") } else { name.to_owned() }
}
