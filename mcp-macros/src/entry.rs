//! The entries of an attribute: `key`, `key = value`, `key(list)`.

use proc_macro2::TokenStream;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Expr, Ident, Token, parenthesized};

use crate::errors::Errors;

/// One entry of an attribute.
pub(crate) struct Entry {
    pub(crate) key: Ident,
    pub(crate) value: Value,
}

/// The form of an entry, with its value.
pub(crate) enum Value {
    /// An option without a value: `key`.
    Bare,
    /// An option with a value: `key = value`.
    Is(Expr),
    /// An option with a list: `key(list)`.
    List(TokenStream),
}

impl Parse for Entry {
    fn parse(input: ParseStream<'_>) -> syn::Result<Entry> {
        let key = input
            .call(Ident::parse_any)
            .map_err(|error| syn::Error::new(error.span(), "expected `key`, `key = value` or `key(..)`"))?;
        let value = if input.parse::<Option<Token![=]>>()?.is_some() {
            Value::Is(input.parse()?)
        } else if input.peek(syn::token::Paren) {
            let list;
            parenthesized!(list in input);
            Value::List(list.parse()?)
        } else {
            Value::Bare
        };
        Ok(Entry { key, value })
    }
}

/// Parses the entries. Reports unknown and duplicate keys.
pub(crate) fn parse(attribute: &str, keys: &[&str], tokens: TokenStream, errors: &mut Errors) -> Vec<Entry> {
    let parsed = Punctuated::<Entry, Token![,]>::parse_terminated.parse2(tokens);
    let mut known: Vec<Entry> = Vec::new();
    for entry in errors.attempt(parsed).into_iter().flatten() {
        let key = entry.key.to_string();
        if !keys.contains(&key.as_str()) {
            errors.at(&entry.key, unknown(attribute, keys, &key));
        } else if known.iter().any(|earlier| earlier.key == entry.key) {
            errors.at(&entry.key, format!("`{key}` is given twice: keep one of them"));
        } else {
            known.push(entry);
        }
    }
    known
}

fn unknown(attribute: &str, keys: &[&str], key: &str) -> String {
    let nearest = keys.iter().map(|known| (distance(known, key), known)).min();
    let hint = match nearest {
        Some((distance, known)) if distance <= 1 + key.len() / 4 => format!(", did you mean `{known}`?"),
        _ => ";".to_owned(),
    };
    format!("unknown key `{key}`{hint} #[{attribute}(..)] takes: {}", keys.join(", "))
}

/// Returns the edit distance of two words.
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.bytes().enumerate() {
            let changed = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::{distance, unknown};

    #[test]
    fn a_misspelt_key_gets_a_suggestion() {
        assert_eq!(distance("description", "descripton"), 1);
        let message = unknown("tool", &["name", "read_only"], "readonly");
        assert_eq!(message, "unknown key `readonly`, did you mean `read_only`? #[tool(..)] takes: name, read_only");
    }

    #[test]
    fn an_unrelated_key_gets_no_suggestion() {
        assert_eq!(unknown("toolset", &["crate"], "colour"), "unknown key `colour`; #[toolset(..)] takes: crate");
    }
}
