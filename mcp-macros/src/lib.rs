//! The attributes of mcp-core.
use proc_macro::TokenStream;
/// x
#[proc_macro_attribute]
pub fn tool(_: TokenStream, item: TokenStream) -> TokenStream {
    item
}
/// x
#[proc_macro_attribute]
pub fn toolset(_: TokenStream, item: TokenStream) -> TokenStream {
    item
}
