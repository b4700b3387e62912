//! The pages about prompts and resources show code that compiles, and the responses that clients get.

use mcp_core::Builder;
use mcp_core::protocol::Revision;
use mcp_test::Client;
use serde_json::{Value, json};

use crate::example_servers::{prompts, resources};
use crate::markdown::{assert_compiled, blocks, contains, parse, read};

#[tokio::test]
async fn the_page_about_prompts_shows_the_example_and_its_responses() {
    assert_compiled("docs/prompts.md", "examples/prompts.rs");
    assert!(said_on("docs/prompts.md", prompts::server).await >= 5);
}

#[tokio::test]
async fn the_page_about_resources_shows_the_example_and_its_responses() {
    assert_compiled("docs/resources.md", "examples/resources.rs");
    assert!(said_on("docs/resources.md", resources::server).await >= 6);
}

/// Sends every request on a page and compares the response with the next block. Returns the number of requests.
async fn said_on(page: &str, server: fn() -> Builder) -> usize {
    let blocks: Vec<_> = blocks(&read(page)).into_iter().filter(|block| block.language == "json").collect();
    for pair in blocks.chunks(2) {
        let [asked, answered] = pair else { panic!("a request without a response: {}", pair[0].text) };
        let (asked, answered): (Value, Value) = (parse(&asked.text), parse(&answered.text));
        let client = Client::with_revision(server(), Revision::NEWEST_HANDSHAKE);
        let method = asked["method"].as_str().expect("a request has a method");
        let said = client.request(method, asked["params"].clone()).await;
        let said = said.unwrap_or_else(|error| json!({"code": error.code.0, "message": error.message}));
        assert!(contains(&said, &answered), "the response to {asked} is {said}");
    }
    blocks.len() / 2
}
