//! Prompts with arguments of several types, and their completion. This is the code of `docs/prompts.md`; a test compares
//! the two.
//!
//! ```sh
//! cargo run --example prompts -- docs
//! ```

use std::process::ExitCode;

use mcp_core::completion::Typed;
use mcp_core::protocol::PromptMessage;
use mcp_core::{Builder, Context, Server, ToolError, json_type, prompt, prompts};

/// Review a piece of code.
#[prompt(title = "Review code")]
fn review(
    /// the code to review
    code: String,
    /// the maximum number of remarks
    #[default(5)]
    most: u32,
) -> String {
    format!("Review this code, with {most} remarks at most:\n\n{code}")
}

#[json_type]
#[derive(Debug)]
#[serde(rename_all = "lowercase")]
enum Season {
    Summer,
    Winter,
}

/// Plan a journey.
#[prompt]
async fn travel(
    country: String,
    #[complete(cities)] city: String,
    season: Option<Season>,
) -> Result<Vec<PromptMessage>, ToolError> {
    if city == country {
        return Err("the city and the country must differ".into());
    }
    let season = season.map(|season| format!(" in {season:?}")).unwrap_or_default();
    Ok(vec![
        PromptMessage::user(format!("Plan a journey to {city}, {country}{season}.")),
        PromptMessage::assistant("How many days do you have?"),
    ])
}

struct Atlas(&'static [(&'static str, &'static str)]);

fn cities(typed: Typed, cx: &Context) -> Vec<&'static str> {
    let atlas = cx.state::<Atlas>().expect("`server` registers the state");
    let country = typed.arguments.get("country");
    let there = atlas.0.iter().filter(|(of, _)| country.is_none_or(|country| country == of));
    there.map(|(_, city)| *city).filter(|city| city.starts_with(&typed.value)).collect()
}

pub fn server() -> Builder {
    let atlas = Atlas(&[("Peru", "Lima"), ("Peru", "Cusco"), ("Laos", "Luang Prabang")]);
    Server::builder("prompts", env!("CARGO_PKG_VERSION")).prompts(prompts![review, travel]).state(atlas)
}

fn main() -> ExitCode {
    mcp_stdio::run(server())
}
