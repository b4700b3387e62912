use mcp_core::tool;

use std::rc::Rc;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Word {
    text: String,
    #[serde(skip)]
    cache: Option<Rc<str>>,
}

/// Count the characters of a word.
#[tool]
fn length(word: Word) -> usize {
    word.cache.map_or(word.text.len(), |cache| cache.len())
}

fn main() {}
