//! Snapshot tests of the generated code. `UPDATE=1 cargo test -p mcp-macros` updates the snapshots.

use std::path::PathBuf;
use std::{env, fs};

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Attribute, Item, Meta};

use crate::item_kind::ItemKind;
use crate::{function, toolset};

/// Expands `tests/expand/<name>.rs` and compares with `tests/expand/<name>.expanded.rs`.
fn check(name: &str) {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/expand");
    let source = fs::read_to_string(folder.join(format!("{name}.rs"))).expect("the source can be read");
    let written = prettyplease::unparse(&syn::parse2(expand(&source)).expect("generated code is Rust"));
    let path = folder.join(format!("{name}.expanded.rs"));
    if env::var_os("UPDATE").is_some() {
        fs::write(&path, &written).expect("the snapshot can be written");
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(
        kept,
        written,
        "{} differs from the generated code; if the change is intended, run the test with UPDATE=1",
        path.display()
    );
}

fn expand(source: &str) -> TokenStream {
    let file = syn::parse_file(source).expect("the source is Rust");
    match file.items.into_iter().next().expect("one item") {
        Item::Fn(mut item) => {
            let (item_kind, entries) = take_attribute(&mut item.attrs, ItemKind::from_attribute);
            function::expand_function(item_kind, entries, item.into_token_stream())
        }
        Item::Impl(mut item) => {
            let (_, entries) = take_attribute(&mut item.attrs, |attr| attr.path().is_ident("toolset").then_some(()));
            toolset::expand_toolset(entries, item.into_token_stream())
        }
        _ => panic!("a function or an impl block"),
    }
}

/// Removes the attribute from the item, and returns the tokens that rustc would pass to it.
fn take_attribute<T>(attrs: &mut Vec<Attribute>, is_ours: impl Fn(&Attribute) -> Option<T>) -> (T, TokenStream) {
    let (index, item_kind) = attrs.iter().enumerate().find_map(|(index, attr)| Some((index, is_ours(attr)?))).expect("ours");
    match attrs.remove(index).meta {
        Meta::List(list) => (item_kind, list.tokens),
        _ => (item_kind, TokenStream::new()),
    }
}

#[test]
fn a_small_function() {
    check("add");
}

#[test]
fn a_function_with_everything() {
    check("search");
}

#[test]
fn a_prompt() {
    check("review");
}

#[test]
fn a_resource() {
    check("note");
}

#[test]
fn a_generic_impl_block() {
    check("counter");
}

#[test]
fn a_renamed_dependency_is_never_named_otherwise() {
    let source = "/// x\n #[tool(crate = my_mcp)] fn f(#[default(1)] a: u8, b: &T) -> u8 { a }";
    let code = expand(source).to_string();
    assert!(code.contains("my_mcp :: __private"), "{code}");
    assert!(!code.contains("mcp_core"), "{code}");
}
