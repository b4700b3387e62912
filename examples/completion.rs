//! Completion: suggestions while a user types an argument of a prompt or a variable of a resource URI. This is the code of
//! `docs/completion.md`; a test compares the two.
//!
//! ```sh
//! cargo run --example completion -- docs
//! ```

use std::process::ExitCode;

use mcp_core::completion::Typed;
use mcp_core::{Builder, Server, json_type, prompt, prompts, resource, resources};

#[json_type]
#[derive(Debug)]
#[serde(rename_all = "lowercase")]
enum Size {
    Small,
    Smaller,
    Large,
}

/// Order a tea.
#[prompt]
fn order(#[complete(teas)] tea: String, size: Size) -> String {
    format!("Order a {size:?} {tea}.")
}

/// The description of a tea.
#[resource("teas://{kind}/{tea}")]
fn about(kind: String, #[complete(teas)] tea: String) -> String {
    format!("{tea} is a {kind} tea.")
}

fn teas(typed: Typed) -> Vec<&'static str> {
    let teas = [("green", "Sencha"), ("green", "Matcha"), ("black", "Assam"), ("black", "Sikkim")];
    let kind = typed.arguments.get("kind");
    let of_kind = teas.into_iter().filter(|(of, _)| kind.is_none_or(|kind| kind == of));
    of_kind.map(|(_, tea)| tea).filter(|tea| tea.starts_with(&typed.value)).collect()
}

pub fn server() -> Builder {
    Server::builder("teas", env!("CARGO_PKG_VERSION")).prompts(prompts![order]).resources(resources![about])
}

fn main() -> ExitCode {
    mcp_stdio::run(server())
}
