//! Converts doc comments to descriptions.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Attribute, Expr, Lit, Meta};

/// Returns the text of the doc comments as an expression. `None` if there are none or all are blank.
///
/// Markdown is kept. Common indentation and blank lines around the text are removed.
pub(crate) fn text(attrs: &[Attribute]) -> Option<TokenStream> {
    let parts: Vec<&Expr> = attrs.iter().filter_map(doc).collect();
    let literals: Option<Vec<String>> = parts.iter().map(|part| literal(part)).collect();
    match literals {
        Some(lines) => Some(clean(&lines.join("\n"))).filter(|text| !text.is_empty()).map(ToTokens::into_token_stream),
        // Such as `#[doc = include_str!("..")]`: the text is known only after macro expansion.
        None => Some(quote!(::core::concat!(#(#parts, "\n"),*))),
    }
}

/// Returns the value of a `#[doc = ..]`.
fn doc(attr: &Attribute) -> Option<&Expr> {
    match &attr.meta {
        Meta::NameValue(meta) if meta.path.is_ident("doc") => Some(&meta.value),
        _ => None,
    }
}

fn literal(value: &Expr) -> Option<String> {
    match value {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Str(text) => Some(without_stars(&text.value())),
            _ => None,
        },
        Expr::Group(group) => self::literal(&group.expr),
        _ => None,
    }
}

/// Removes the column of stars at the start of the lines of a `/** .. */` comment.
fn without_stars(comment: &str) -> String {
    let column = |line: &str| line.trim_start().starts_with('*').then(|| line.len() - line.trim_start().len());
    // If a line has no star, the stars are probably a Markdown list.
    let mut columns = comment.trim_end().lines().skip(1).map(column);
    let first = columns.next().flatten();
    if first.is_none() || !columns.all(|column| column == first) {
        return comment.to_owned();
    }
    let lines = comment.lines().enumerate().map(|(index, line)| match line.trim_start().strip_prefix('*') {
        Some(rest) if index > 0 => rest,
        _ => line,
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn clean(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let indent = lines.iter().filter(|line| !line.is_empty()).map(|line| line.len() - line.trim_start().len()).min();
    let lines: Vec<&str> = lines.iter().map(|line| line.get(indent.unwrap_or(0)..).unwrap_or_default()).collect();
    lines.join("\n").trim_matches('\n').to_owned()
}

#[cfg(test)]
mod tests {
    use syn::parse_quote;

    use super::text;

    fn read(attrs: &[syn::Attribute]) -> Option<String> {
        let tokens = text(attrs)?;
        Some(syn::parse2::<syn::LitStr>(tokens).unwrap().value())
    }

    #[test]
    fn common_indentation_is_removed_and_markdown_is_kept() {
        let attrs: Vec<syn::Attribute> = parse_quote! {
            /// Search files.
            ///
            /// - `glob`: which files
            ///   - nested
            ///
            ///     let code = 1;
            ///
        };
        let expected = "Search files.\n\n- `glob`: which files\n  - nested\n\n    let code = 1;";
        assert_eq!(read(&attrs).as_deref(), Some(expected));
    }

    #[test]
    fn a_block_comment_loses_its_column_of_stars() {
        let attrs: Vec<syn::Attribute> = parse_quote! { #[doc = "\n * Add two numbers.\n *\n * Both are whole.\n "] };
        assert_eq!(read(&attrs).as_deref(), Some("Add two numbers.\n\nBoth are whole."));
    }

    #[test]
    fn a_list_in_a_block_comment_stays_a_list() {
        let attrs: Vec<syn::Attribute> = parse_quote! { #[doc = " Add:\n\n * whole numbers\n * and others\n "] };
        assert_eq!(read(&attrs).as_deref(), Some("Add:\n\n* whole numbers\n* and others"));
    }

    #[test]
    fn blank_comments_have_no_text() {
        let attrs: Vec<syn::Attribute> = parse_quote! {
            ///
            #[allow(unused)]
            ///
        };
        assert_eq!(read(&attrs), None);
        assert!(text(&[]).is_none());
    }

    #[test]
    fn text_from_a_file_is_left_to_the_compiler() {
        let attrs: Vec<syn::Attribute> = parse_quote! { #[doc = include_str!("tool.md")] };
        assert_eq!(text(&attrs).unwrap().to_string(), ":: core :: concat ! (include_str ! (\"tool.md\") , \"\\n\")");
    }
}
