//! The `#[tool]`, `#[prompt]`, `#[resource]`, `#[toolset]` and `#[json_type]` attributes of mcp-core.
//!
//! The modules are the stages of a pipeline:
//!
//! 1. Parse: `attr` reads the keys of `#[tool(..)]`, `docs` the doc comments, `param` the parameters.
//! 2. Check: `check` builds a `model` from them, or reports every error.
//! 3. Generate: `expand` and `toolset_impl` write the code; `args` chooses between `args_list` and `args_struct`, the two ways to
//!    decode arguments. `typed_client` writes the client of a tool.
//!
//! Tools, prompts and resources share all stages. `item_kind` has what differs between them.

mod args;
mod args_list;
mod args_struct;
mod argument_default;
mod attr;
mod check;
mod docs;
mod entry;
mod errors;
mod expand;
#[cfg(test)]
mod expansion_snapshots;
mod function;
mod item_kind;
mod json_type;
mod model;
mod param;
mod param_attr;
mod print_expansion;
mod resource_uri;
#[allow(dead_code, reason = "a copy of the file in mcp-core, which also matches URIs")]
mod template;
mod tokens;
mod toolset;
mod toolset_impl;
mod typed_client;
mod value;

use proc_macro::TokenStream;

use crate::item_kind::ItemKind;

#[doc = include_str!("../docs/tool.md")]
#[proc_macro_attribute]
pub fn tool(attribute: TokenStream, item: TokenStream) -> TokenStream {
    print_expansion::print_if_requested(function::expand_function(ItemKind::Tool, attribute.into(), item.into())).into()
}

#[doc = include_str!("../docs/prompt.md")]
#[proc_macro_attribute]
pub fn prompt(attribute: TokenStream, item: TokenStream) -> TokenStream {
    print_expansion::print_if_requested(function::expand_function(ItemKind::Prompt, attribute.into(), item.into())).into()
}

#[doc = include_str!("../docs/resource.md")]
#[proc_macro_attribute]
pub fn resource(attribute: TokenStream, item: TokenStream) -> TokenStream {
    print_expansion::print_if_requested(function::expand_function(ItemKind::Resource, attribute.into(), item.into())).into()
}

#[doc = include_str!("../docs/json_type.md")]
#[proc_macro_attribute]
pub fn json_type(attribute: TokenStream, item: TokenStream) -> TokenStream {
    print_expansion::print_if_requested(json_type::expand_json_type(attribute.into(), item.into())).into()
}

#[doc = include_str!("../docs/toolset.md")]
#[proc_macro_attribute]
pub fn toolset(attribute: TokenStream, item: TokenStream) -> TokenStream {
    print_expansion::print_if_requested(toolset::expand_toolset(attribute.into(), item.into())).into()
}
