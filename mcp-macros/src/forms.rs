//! Which forms a function shows: the types in `cx.elicit::<T>(..)`, so that a server can check them when it is built.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::Type;

use crate::tokens;

/// The words after which a block declares names of its own.
const DECLARING: [&str; 7] = ["struct", "enum", "type", "use", "fn", "impl", "mod"];

/// The types that the body of a function asks for by name, as far as they can be named outside of it.
///
/// What is missed here is checked when it is asked.
pub(crate) fn forms(body: TokenStream) -> Vec<Type> {
    let mut found = Vec::new();
    let mut declared = Vec::new();
    collect(body, &mut found, &mut declared);
    let is_local = |word: &proc_macro2::Ident| word == "_" || declared.iter().any(|name| word == name);
    found.retain(|ty| !tokens::mentions(ty.clone(), &is_local));
    found.into_iter().filter_map(|ty| syn::parse2(ty).ok()).collect()
}

/// Collects the tokens of types that are asked for, and the names that are declared on the way.
fn collect(tokens: TokenStream, found: &mut Vec<TokenStream>, declared: &mut Vec<String>) {
    let mut tokens = tokens.into_iter().peekable();
    let mut is_declaring = false;
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Ident(word) if word == "elicit" => found.extend(turbofish(&mut tokens)),
            TokenTree::Ident(word) if DECLARING.iter().any(|declaring| word == declaring) => is_declaring = true,
            TokenTree::Ident(word) if is_declaring => declared.push(word.to_string()),
            TokenTree::Punct(punct) if punct.as_char() == ';' => is_declaring = false,
            TokenTree::Group(group) => {
                // `use path::{these, names}` declares on; a body or a list of parameters ends the names.
                if is_declaring && tokens.peek().is_some_and(|next| next.to_string() == ";") {
                    words(group.stream(), declared);
                }
                is_declaring &= group.delimiter() == Delimiter::Bracket;
                collect(group.stream(), found, declared);
            }
            _ => {}
        }
    }
}

/// What stands in `::<..>`, if that comes next.
fn turbofish(tokens: &mut impl Iterator<Item = TokenTree>) -> Option<TokenStream> {
    let mut mark =
        |wanted| matches!(tokens.next(), Some(TokenTree::Punct(punct)) if punct.as_char() == wanted).then_some(());
    mark(':')?;
    mark(':')?;
    mark('<')?;
    let mut depth = 1;
    let inside = tokens.take_while(|token| {
        match token {
            TokenTree::Punct(punct) if punct.as_char() == '<' => depth += 1,
            TokenTree::Punct(punct) if punct.as_char() == '>' => depth -= 1,
            _ => {}
        }
        depth > 0
    });
    Some(inside.collect())
}

/// All words, at any depth.
fn words(tokens: TokenStream, into: &mut Vec<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(word) => into.push(word.to_string()),
            TokenTree::Group(group) => words(group.stream(), into),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::*;

    fn found(body: TokenStream) -> Vec<String> {
        forms(body).iter().map(|ty| quote!(#ty).to_string().replace(' ', "")).collect()
    }

    #[test]
    fn types_that_are_asked_for_are_found_at_any_depth() {
        let body = quote!({
            let first = cx.elicit::<Confirmation>("Sure?").await?;
            select! { again = cx.keyed("x").elicit::<forms::Page<Vec<u8>>>("And?") => again }
        });
        assert_eq!(found(body), ["Confirmation", "forms::Page<Vec<u8>>"]);
    }

    #[test]
    fn what_only_the_body_knows_or_nobody_names_is_left_alone() {
        let body = quote!({
            use crate::{forms::Imported, other};
            use forms::Plain;
            #[derive(Deserialize)]
            struct Local {
                name: String,
            }
            async fn ask<T: JsonSchema>(cx: &Context) {
                cx.elicit::<T>("?").await
            }
            cx.elicit::<Local>("?").await?;
            cx.elicit::<Option<Imported>>("?").await?;
            cx.elicit::<Plain>("?").await?;
            cx.elicit::<_>("?").await?;
            let inferred: Elicited<Known> = cx.elicit("?").await?;
            cx.elicit::<Outside>("?").await
        });
        assert_eq!(found(body), ["Outside"]);
    }
}
