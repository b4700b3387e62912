#![no_implicit_prelude]

use ::mcp_core::{prompt, prompts, resource, resources, server, tool, tools, toolset};

pub struct Store(&'static str);

/// Use all of it.
#[tool(read_only, timeout = "1s", icon = "https://example.com", meta(x = 1))]
async fn all(
    /// a number
    number: i64,
    text: ::std::string::String,
    list: ::std::option::Option<::std::vec::Vec<u8>>,
    #[default(3)] times: u32,
    #[default("x")] word: ::std::string::String,
    #[default] more: u32,
    #[schemars(range(min = 1), length(max = 2), example = 2)] least: u8,
    cx: &::mcp_core::Context,
    store: &Store,
) -> ::std::result::Result<::std::string::String, ::std::string::String> {
    let length = list.map_or(0, |list| list.len());
    let name = cx.name();
    ::std::result::Result::Ok(::std::format!("{number}{text}{length}{times}{word}{more}{least}{name}{}", store.0))
}

::core::include!("../shared/prompt_and_resource.rs");

struct Set<T>(T);

#[toolset]
impl<T: ::std::fmt::Display + ::std::marker::Send + ::std::marker::Sync> Set<T> {
    /// Show it.
    #[tool]
    async fn show(&self, #[default(1)] times: usize, word: ::std::string::String) -> ::std::string::String {
        ::std::format!("{}{word}{times}", self.0)
    }

    /// Ask about it.
    #[prompt]
    fn ask(&self, #[complete(suggest)] word: ::std::string::String) -> ::std::string::String {
        ::std::format!("{}{word}", self.0)
    }

    /// It.
    #[resource("it://{part}")]
    async fn it(&self, part: ::std::string::String) -> ::std::string::String {
        ::std::format!("{}{part}", self.0)
    }
}

fn main() {
    let server = server!().prompts(prompts![review]).prompts(Set(1)).resources(resources![note]).resources(Set(1));
    let server = server.tools(tools![all]).tools(Set(1)).state(Store("state")).build();
    ::std::assert!(server.is_ok());
}
