// As with `my_mcp = { package = "mcp-core", .. }` in Cargo.toml.
extern crate mcp_core as my_mcp;

mod inner {
    // As in a crate that hands mcp-core on to its users.
    pub use ::mcp_core as framework;
}

// Whoever looks for it under its own name finds this.
mod mcp_core {}

use my_mcp::{prompt, prompts, resource, resources, server, tool, tools, toolset};

/// Add two numbers.
#[tool(crate = my_mcp)]
async fn add(a: i64, #[default(1)] b: i64, cx: &my_mcp::Context) -> String {
    format!("{}: {}", cx.name(), a + b)
}

/// Subtract two numbers.
#[tool(crate = crate::inner::framework)]
fn sub(a: i64, b: i64) -> i64 {
    a - b
}

/// Multiply two numbers.
#[tool(crate = "my_mcp")]
fn mul(a: i64, b: i64) -> i64 {
    a * b
}

/// Review a piece of code.
#[prompt(crate = my_mcp)]
fn review(#[complete(nothing)] code: String, #[default(1)] most: u32) -> String {
    format!("{most} {code}")
}

fn nothing(_: my_mcp::completion::Typed) -> [&'static str; 0] {
    []
}

/// A note.
#[resource("notes://{id}", audience = user, icon = "https://example.com", crate = crate::inner::framework)]
async fn note(id: u32) -> Option<String> {
    Some(id.to_string())
}

struct Calculator;

#[toolset(crate = my_mcp)]
impl Calculator {
    /// Divide two numbers.
    #[tool]
    fn div(&self, a: f64, #[default(1.0)] b: f64) -> f64 {
        a / b
    }
}

macro_rules! tool_by_macro {
    ($krate:path) => {
        /// Negate a number.
        #[tool(crate = $krate)]
        fn neg(a: i64) -> i64 {
            -a
        }
    };
}

tool_by_macro!(crate::inner::framework);

fn main() {
    let server = server!().prompts(prompts![review]).resources(resources![note]);
    let server = server.tools(tools![add, sub, mul, neg]).tools(Calculator).build();
    assert_eq!(server.expect("a server without faults").tools().len(), 5);
}
