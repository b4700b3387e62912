//! The `#[tool]` and `#[toolset]` attributes of mcp-core.
//!
//! The file names are the pipeline: `attr` reads what stands in `#[tool(..)]`, `docs` the doc comments and `param` the
//! parameters; `check` makes a `model` of them or says everything that is wrong; `args`, `expand` and `set` write the code.

mod args;
mod attr;
mod check;
mod docs;
mod entry;
mod errors;
mod expand;
mod function;
#[cfg(test)]
mod golden;
mod model;
mod param;
mod param_attr;
mod set;
mod show;
mod tokens;
mod toolset;
mod value;

use proc_macro::TokenStream;

#[doc = include_str!("../docs/tool.md")]
#[proc_macro_attribute]
pub fn tool(attribute: TokenStream, item: TokenStream) -> TokenStream {
    show::shown(function::tool(attribute.into(), item.into())).into()
}

#[doc = include_str!("../docs/toolset.md")]
#[proc_macro_attribute]
pub fn toolset(attribute: TokenStream, item: TokenStream) -> TokenStream {
    show::shown(toolset::toolset(attribute.into(), item.into())).into()
}
