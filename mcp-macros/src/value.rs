//! Parses the values of attribute keys. Each error shows the expected form.

use std::time::Duration;

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Expr, Ident, Lit, LitStr, Path, Token};

use crate::entry::{Entry, Value};

/// Returns the value of `key = value`.
pub(crate) fn expression<'a>(entry: &'a Entry, example: &str) -> syn::Result<&'a Expr> {
    match &entry.value {
        Value::Is(value) => Ok(value),
        _ => Err(wrong(&entry.key, entry, example)),
    }
}

/// Returns the literal if the expression is one.
pub(crate) fn literal(value: &Expr) -> Option<&Lit> {
    match value {
        Expr::Lit(literal) => Some(&literal.lit),
        Expr::Group(group) => literal(&group.expr),
        _ => None,
    }
}

/// Parses `key = ".."`.
pub(crate) fn text(entry: &Entry) -> syn::Result<LitStr> {
    let value = expression(entry, "\"..\"")?;
    match literal(value) {
        Some(Lit::Str(text)) => Ok(text.clone()),
        _ => Err(wrong(value, entry, "\"..\"")),
    }
}

/// Parses `key`, `key = true`, `key = false`.
pub(crate) fn flag(entry: &Entry) -> syn::Result<bool> {
    match &entry.value {
        Value::Bare => Ok(true),
        Value::Is(value) => match literal(value) {
            Some(Lit::Bool(flag)) => Ok(flag.value),
            _ => Err(syn::Error::new_spanned(value, flag_form(entry))),
        },
        Value::List(_) => Err(syn::Error::new_spanned(&entry.key, flag_form(entry))),
    }
}

/// Parses `key = some::path` or `key = "some::path"`.
pub(crate) fn path(entry: &Entry) -> syn::Result<Path> {
    let mut value = expression(entry, "my_mcp")?;
    while let Expr::Group(group) = value {
        value = &group.expr;
    }
    match (value, literal(value)) {
        (Expr::Path(path), _) if path.qself.is_none() => Ok(path.path.clone()),
        (_, Some(Lit::Str(text))) => text.parse().map_err(|_| wrong(value, entry, "my_mcp")),
        _ => Err(wrong(value, entry, "my_mcp")),
    }
}

/// Parses `key = [a, b]`.
pub(crate) fn list(entry: &Entry, example: &str) -> syn::Result<Vec<Expr>> {
    match expression(entry, example)? {
        Expr::Array(array) => Ok(array.elems.iter().cloned().collect()),
        other => Err(wrong(other, entry, example)),
    }
}

/// Parses `key = "1.5s"`, `key = 5` for seconds, or a `Duration`.
pub(crate) fn duration(entry: &Entry) -> syn::Result<TokenStream> {
    let value = expression(entry, "\"5s\"")?;
    let parsed = match literal(value) {
        Some(Lit::Str(text)) => parse_duration(&text.value()),
        Some(Lit::Int(seconds)) if seconds.suffix().is_empty() => seconds.base10_parse().ok().map(Duration::from_secs),
        Some(Lit::Float(seconds)) if seconds.suffix().is_empty() => {
            seconds.base10_parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        }
        Some(_) => None,
        None => return Ok(value.to_token_stream()),
    };
    let Some(duration) = parsed.filter(|duration| !duration.is_zero()) else {
        return Err(wrong(value, entry, "\"500ms\"`, `\"5s\"`, `\"2m\"`, `\"1h\"` or seconds such as `5"));
    };
    let (seconds, nanos) = (duration.as_secs(), duration.subsec_nanos());
    Ok(quote!(__mcp::Duration::new(#seconds, #nanos)))
}

fn parse_duration(text: &str) -> Option<Duration> {
    let digits = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let seconds_each = match unit.trim() {
        "ms" => 0.001,
        "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return None,
    };
    Duration::try_from_secs_f64(number.parse::<f64>().ok()? * seconds_each).ok()
}

/// Parses `task = optional`, also as a string.
pub(crate) fn task_support(entry: &Entry) -> syn::Result<Ident> {
    let example = "optional`, `required` or `forbidden";
    let value = expression(entry, example)?;
    let variant = match word(value).as_deref() {
        Some("optional") => "Optional",
        Some("required") => "Required",
        Some("forbidden") => "Forbidden",
        _ => return Err(wrong(value, entry, example)),
    };
    Ok(Ident::new(variant, Span::call_site()))
}

/// Parses `audience = user`, or a list of `user` and `assistant`.
pub(crate) fn audience(entry: &Entry) -> syn::Result<Vec<Ident>> {
    let example = "user`, `assistant` or `[user, assistant]";
    let value = expression(entry, example)?;
    let roles: Vec<&Expr> = match value {
        Expr::Array(array) => array.elems.iter().collect(),
        one => vec![one],
    };
    let variant = |role: &Expr| match word(role).as_deref() {
        Some("user") => Ok(Ident::new("User", Span::call_site())),
        Some("assistant") => Ok(Ident::new("Assistant", Span::call_site())),
        _ => Err(wrong(role, entry, example)),
    };
    roles.into_iter().map(variant).collect()
}

/// Parses `requires = elicitation`, or a list of required client capabilities.
pub(crate) fn requirements(entry: &Entry) -> syn::Result<Vec<Ident>> {
    let example = "elicitation`, `elicitation_url`, `sampling`, `roots` or `[sampling, roots]";
    let value = expression(entry, example)?;
    let words: Vec<&Expr> = match value {
        Expr::Array(array) => array.elems.iter().collect(),
        one => vec![one],
    };
    let variant = |one: &Expr| {
        let variant = match word(one).as_deref() {
            Some("elicitation") => "Elicitation",
            Some("elicitation_url") => "ElicitationUrl",
            Some("sampling") => "Sampling",
            Some("roots") => "Roots",
            _ => return Err(wrong(one, entry, example)),
        };
        Ok(Ident::new(variant, Span::call_site()))
    };
    words.into_iter().map(variant).collect()
}

/// Parses `priority = 0.5`, or an expression for a number from 0 to 1.
pub(crate) fn priority(entry: &Entry) -> syn::Result<&Expr> {
    let example = "0.5`, from `0.0` (optional) to `1.0";
    let value = expression(entry, example)?;
    match literal(value) {
        Some(Lit::Float(number)) if number.base10_parse().is_ok_and(|number: f64| number <= 1.0) => Ok(value),
        Some(_) => Err(wrong(value, entry, example)),
        None => Ok(value),
    }
}

/// Returns an identifier or the text of a string literal.
fn word(value: &Expr) -> Option<String> {
    match (value, literal(value)) {
        (Expr::Path(path), _) => path.path.get_ident().map(ToString::to_string),
        (_, Some(Lit::Str(text))) => Some(text.value()),
        _ => None,
    }
}

/// Parses `meta("vendor/key" = value, key = value)`.
pub(crate) fn meta(entry: &Entry) -> syn::Result<Vec<TokenStream>> {
    let Value::List(list) = &entry.value else {
        return Err(syn::Error::new_spanned(&entry.key, "write `meta(\"vendor/key\" = value, ..)`"));
    };
    let pairs = Punctuated::<MetaPair, Token![,]>::parse_terminated.parse2(list.clone())?;
    Ok(pairs.iter().map(|MetaPair { key, value }| quote_spanned!(value.span()=> .meta(#key, #value))).collect())
}

struct MetaPair {
    key: LitStr,
    value: Expr,
}

impl Parse for MetaPair {
    fn parse(input: ParseStream<'_>) -> syn::Result<MetaPair> {
        let key = if input.peek(LitStr) {
            input.parse()?
        } else {
            let key: Ident = input.parse()?;
            LitStr::new(&key.to_string(), key.span())
        };
        input.parse::<Token![=]>()?;
        Ok(MetaPair { key, value: input.parse()? })
    }
}

fn flag_form(entry: &Entry) -> String {
    let key = &entry.key;
    format!("write `{key}`, `{key} = true` or `{key} = false`")
}

fn wrong(place: impl ToTokens, entry: &Entry, example: &str) -> syn::Error {
    syn::Error::new_spanned(place, format!("write `{} = {example}`", entry.key))
}

#[cfg(test)]
mod tests {
    use super::{Duration, parse_duration};

    #[test]
    fn durations_are_parsed_with_their_unit() {
        assert_eq!(parse_duration("500ms"), Some(Duration::from_millis(500)));
        assert_eq!(parse_duration("1.5 s"), Some(Duration::from_millis(1500)));
        assert_eq!(parse_duration("2m"), Some(Duration::from_secs(120)));
        assert_eq!(parse_duration("1h"), Some(Duration::from_secs(3600)));
    }

    #[test]
    fn a_duration_without_unit_or_number_is_none() {
        assert_eq!(parse_duration("5"), None);
        assert_eq!(parse_duration("s"), None);
        assert_eq!(parse_duration("-1s"), None);
        assert_eq!(parse_duration("5 days"), None);
    }
}
