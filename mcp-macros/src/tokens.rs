//! Questions about tokens that no syntax tree answers.

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use syn::Type;

/// Whether one of these words is among the tokens, at any depth.
pub(crate) fn mentions(tokens: TokenStream, is_wanted: &impl Fn(&Ident) -> bool) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => is_wanted(&ident),
        TokenTree::Group(group) => mentions(group.stream(), is_wanted),
        _ => false,
    })
}

/// The tokens with `Self` written out.
pub(crate) fn without_self(tokens: TokenStream, this: &TokenStream) -> TokenStream {
    let replace = |token| match token {
        TokenTree::Ident(ident) if ident == "Self" => TokenTree::Group(Group::new(Delimiter::None, this.clone())),
        TokenTree::Group(group) => {
            let mut replaced = Group::new(group.delimiter(), without_self(group.stream(), this));
            replaced.set_span(group.span());
            TokenTree::Group(replaced)
        }
        other => other,
    };
    tokens.into_iter().map(replace).collect()
}

/// The keys of a list such as `default, rename = "x", bound(deserialize = "")`, each with what follows it.
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

/// The type inside parentheses and inside the invisible ones that `macro_rules!` puts around it.
pub(crate) fn bare(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => bare(&group.elem),
        Type::Paren(paren) => bare(&paren.elem),
        other => other,
    }
}

/// Whether a type is this one word.
pub(crate) fn is_word(ty: &Type, word: &str) -> bool {
    matches!(bare(ty), Type::Path(path) if path.qself.is_none() && path.path.is_ident(word))
}
