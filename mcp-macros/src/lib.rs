//! The `#[tool]`, `#[prompt]`, `#[resource]` and `#[toolset]` attributes of mcp-core.
//!
//! The file names are the pipeline: `attr` reads what stands in `#[tool(..)]`, `docs` the doc comments and `param` the
//! parameters; `check` makes a `model` of them or says everything that is wrong; `args`, `expand` and `set` write the code,
//! `listed` and `derived` what arguments are read into.
//! All three kinds of function go the same way; `what` holds the words and names in which they differ.

mod address;
mod args;
mod attr;
mod check;
mod derived;
mod docs;
mod entry;
mod errors;
mod expand;
mod function;
#[cfg(test)]
mod golden;
mod listed;
mod model;
mod param;
mod param_attr;
mod preset;
mod set;
mod show;
#[allow(dead_code, reason = "the same file as in mcp-core, which also matches addresses")]
mod template;
mod tokens;
mod toolset;
mod value;
mod what;

use proc_macro::TokenStream;

use crate::what::What;

#[doc = include_str!("../docs/tool.md")]
#[proc_macro_attribute]
pub fn tool(attribute: TokenStream, item: TokenStream) -> TokenStream {
    show::shown(function::offer(What::Tool, attribute.into(), item.into())).into()
}

#[doc = include_str!("../docs/prompt.md")]
#[proc_macro_attribute]
pub fn prompt(attribute: TokenStream, item: TokenStream) -> TokenStream {
    show::shown(function::offer(What::Prompt, attribute.into(), item.into())).into()
}

#[doc = include_str!("../docs/resource.md")]
#[proc_macro_attribute]
pub fn resource(attribute: TokenStream, item: TokenStream) -> TokenStream {
    show::shown(function::offer(What::Resource, attribute.into(), item.into())).into()
}

#[doc = include_str!("../docs/toolset.md")]
#[proc_macro_attribute]
pub fn toolset(attribute: TokenStream, item: TokenStream) -> TokenStream {
    show::shown(toolset::toolset(attribute.into(), item.into())).into()
}
