#![deny(warnings, missing_docs, unreachable_pub, missing_debug_implementations, unused_qualifications)]
#![forbid(unsafe_code)]
//! Tools in a crate that allows no warning.

use mcp_core::completion::Typed;
use mcp_core::{prompt, prompts, resource, resources, server, tool, tools, toolset};

/// Add two numbers.
#[tool]
pub fn add(a: i64, #[default(1)] b: i64) -> i64 {
    a + b
}

/// Review a piece of code.
#[prompt(title = "Review")]
pub fn review(#[complete(languages)] language: String, #[default(1)] most: u32) -> Result<String, std::fmt::Error> {
    Ok(format!("{language} {most}"))
}

fn languages(typed: Typed) -> impl Iterator<Item = String> {
    [typed.value].into_iter()
}

/// A note.
#[resource("notes://{id}", mime_type = "text/plain")]
pub async fn note(#[complete(languages)] id: String) -> Option<&'static str> {
    (id == "1").then_some("a note")
}

/// In a module.
pub mod module {
    use mcp_core::tool;

    /// Subtract two numbers.
    #[tool]
    pub async fn sub(a: i64, b: Option<i64>) -> i64 {
        a - b.unwrap_or(0)
    }
}

/// A calculator.
#[derive(Debug)]
pub struct Calculator;

#[toolset]
impl Calculator {
    /// Divide two numbers.
    #[tool]
    pub fn div(&self, a: f64, #[default(1.0)] b: f64) -> f64 {
        a / b
    }

    /// A tool that nobody should use any more.
    #[tool]
    #[deprecated]
    pub fn old(&self) {}

    /// A prompt that nobody should use any more.
    #[prompt]
    #[deprecated]
    pub fn older(&self, #[default("x")] word: String) -> String {
        word
    }

    /// What it calculates.
    #[resource("calculator://{topic}")]
    pub fn topic(&self, topic: String) -> String {
        topic
    }
}

// None of these names is taken.
mod __mcp {
    pub(crate) struct __Args(pub(crate) u8);
}
use __mcp::__Args;

/// A tool nobody should use any more.
#[tool]
#[deprecated]
pub fn old(#[serde(rename = "Mixed")] mixed: u8) -> u8 {
    __Args(mixed).0
}

/// A tool in a block, which can name what is in the block.
fn local() -> usize {
    type Number = u8;
    /// Count.
    #[tool]
    fn count(by: Number) -> Number {
        by
    }
    server!().tools(tools![count]).build().map_or(0, |server| server.tools().len())
}

fn main() {
    let server = server!().prompts(prompts![review]).prompts(Calculator).resources(resources![note]).resources(Calculator);
    let server = server.tools(tools![add, module::sub, old]).tools(Calculator.prefixed()).build();
    assert_eq!(server.map_or(0, |server| server.tools().len()), 5);
    assert_eq!(local(), 1);
    // The generated type is not a value, so this name is still the function.
    assert_eq!(add(1, 2), 3);
}

impl Calculator {
    fn prefixed(self) -> impl mcp_core::Toolset {
        mcp_core::Toolset::prefixed(self, "calc_")
    }
}
