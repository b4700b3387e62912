//! Searches and replaces in token streams.

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::quote;
use syn::Type;

/// Returns whether a matching identifier is among the tokens, at any depth.
pub(crate) fn mentions(tokens: TokenStream, is_wanted: &impl Fn(&Ident) -> bool) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => is_wanted(&ident),
        TokenTree::Group(group) => mentions(group.stream(), is_wanted),
        _ => false,
    })
}

/// Replaces `Self` by the type.
pub(crate) fn without_self(tokens: TokenStream, this: &TokenStream) -> TokenStream {
    let mut replaced = TokenStream::new();
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Ident(ident) if ident == "Self" => {
                let is_path = matches!(tokens.peek(), Some(TokenTree::Punct(punct)) if punct.as_char() == ':');
                replaced.extend(if is_path { quote!(<#this>) } else { this.clone() });
            }
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), without_self(group.stream(), this));
                inner.set_span(group.span());
                replaced.extend([TokenTree::Group(inner)]);
            }
            other => replaced.extend([other]),
        }
    }
    replaced
}

/// Replaces each matching lifetime by `'static`.
pub(crate) fn with_static(tokens: TokenStream, is_known: &impl Fn(&Ident) -> bool) -> TokenStream {
    let mut is_lifetime = false;
    let replace = |token| {
        let was_lifetime = std::mem::take(&mut is_lifetime);
        match token {
            TokenTree::Ident(name) if was_lifetime && is_known(&name) => Ident::new("static", name.span()).into(),
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), with_static(group.stream(), is_known));
                inner.set_span(group.span());
                inner.into()
            }
            token => {
                is_lifetime = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '\'');
                token
            }
        }
    };
    tokens.into_iter().map(replace).collect()
}

/// Replaces `Cow<T>` by `Cow<'static, T>`.
pub(crate) fn with_lifetime_of_cow(tokens: TokenStream) -> TokenStream {
    let mut replaced = TokenStream::new();
    let mut tokens = tokens.into_iter().peekable();
    let mut is_cow = false;
    while let Some(token) = tokens.next() {
        let opens = is_cow && matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '<');
        is_cow = matches!(&token, TokenTree::Ident(ident) if ident == "Cow");
        match token {
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), with_lifetime_of_cow(group.stream()));
                inner.set_span(group.span());
                replaced.extend([TokenTree::Group(inner)]);
            }
            token => replaced.extend([token]),
        }
        if opens && !matches!(tokens.peek(), Some(TokenTree::Punct(punct)) if punct.as_char() == '\'') {
            replaced.extend(quote!('static,));
        }
    }
    replaced
}

/// Returns the keys of a list such as `default, rename = "x", bound(deserialize = "")`, each with the tokens after it.
pub(crate) fn keys(list: TokenStream) -> Vec<(Ident, Vec<TokenTree>)> {
    let mut keys: Vec<(Ident, Vec<TokenTree>)> = Vec::new();
    let mut at_start = true;
    for token in list {
        match token {
            TokenTree::Punct(punct) if punct.as_char() == ',' => at_start = true,
            TokenTree::Ident(key) if at_start => {
                keys.push((key, Vec::new()));
                at_start = false;
            }
            other => {
                at_start = false;
                if let Some((_, rest)) = keys.last_mut() {
                    rest.push(other);
                }
            }
        }
    }
    keys
}

/// Removes parentheses around a type, and the invisible groups that `macro_rules!` adds.
pub(crate) fn bare(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => bare(&group.elem),
        Type::Paren(paren) => bare(&paren.elem),
        other => other,
    }
}

/// Returns whether a type is this identifier.
pub(crate) fn is_word(ty: &Type, word: &str) -> bool {
    matches!(bare(ty), Type::Path(path) if path.qself.is_none() && path.path.is_ident(word))
}
