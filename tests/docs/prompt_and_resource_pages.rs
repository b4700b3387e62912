//! The pages about prompts and resources show code that compiles, and what clients see of it.

use mcp_core::Builder;
use mcp_core::protocol::Revision;
use mcp_test::Client;
use serde_json::{Value, json};

use crate::example_servers::{prompts, resources};
use crate::markdown::{assert_compiled, blocks, contains, parse, read};

#[tokio::test]
async fn the_page_about_prompts_is_the_example_and_what_its_server_says() {
    assert_compiled("docs/prompts.md", "examples/prompts.rs");
    assert!(said_on("docs/prompts.md", prompts::server).await >= 5);
}

#[tokio::test]
async fn the_page_about_resources_is_the_example_and_what_its_server_says() {
    assert_compiled("docs/resources.md", "examples/resources.rs");
    assert!(said_on("docs/resources.md", resources::server).await >= 6);
}

/// Asks every question that stands on a page; the answer stands in the block after it.
async fn said_on(page: &str, server: fn() -> Builder) -> usize {
    let blocks: Vec<_> = blocks(&read(page)).into_iter().filter(|block| block.language == "json").collect();
    for pair in blocks.chunks(2) {
        let [asked, answered] = pair else { panic!("a question without an answer: {}", pair[0].text) };
        let (asked, answered): (Value, Value) = (parse(&asked.text), parse(&answered.text));
        let client = Client::with_revision(server(), Revision::NEWEST_HANDSHAKE);
        let method = asked["method"].as_str().expect("a question names a method");
        let said = client.request(method, asked["params"].clone()).await;
        let said = said.unwrap_or_else(|error| json!({"code": error.code.0, "message": error.message}));
        assert!(contains(&said, &answered), "{asked} is answered with {said}");
    }
    blocks.len() / 2
}
