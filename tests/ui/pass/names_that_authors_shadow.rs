// Every name that generated code might use means something else here.
#![allow(dead_code, unused_macros, non_camel_case_types, non_snake_case, non_upper_case_globals)]

use mcp_core::{prompt, prompts, resource, resources, server, tool, tools, toolset};

type S = ();
type Output = ();
struct Result;
struct Option;
struct String;
struct Vec;
struct Box;
struct Arc;
struct Context;
struct Tool;
struct Toolset;
struct Function;
struct Prompt;
struct Promptset;
struct Resource;
struct Role;
struct Typed;
struct __Args;
struct __mcp;
trait Into {}
trait From {}
trait Clone {}
trait Default {}
trait Send {}
trait Sync {}
trait Deserialize {}
trait JsonSchema {}
trait Iterator {}
trait IntoIterator {}
fn Ok() {}
fn Err() {}
fn Some() {}
fn None() {}
fn drop() {}

mod std {}
mod core {}
mod alloc {}
mod serde {}
mod schemars {}
mod __private {}

macro_rules! panic {
    () => {};
}
macro_rules! concat {
    () => {};
}
macro_rules! stringify {
    () => {};
}

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
    #[serde(default)] flag: bool,
    #[schemars(range(min = 1), example = 2)] least: u8,
    cx: &::mcp_core::Context,
    store: &Store,
) -> ::std::result::Result<::std::string::String, ::std::string::String> {
    let length = list.map_or(0, |list| list.len());
    let name = cx.name();
    ::std::result::Result::Ok(::std::format!("{number}{text}{length}{times}{word}{flag}{least}{name}{}", store.0))
}

/// Block.
#[tool]
fn block(number: i64) -> i64 {
    number
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
    let server = server.tools(tools![all, block]).tools(Set(1)).state(Store("state")).build();
    assert_eq!(server.expect("a server without faults").tools().len(), 3);
}
