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
    assert!(check_page("docs/prompts.md", prompts::server).await >= 5);
}

#[tokio::test]
async fn the_page_about_resources_shows_the_example_and_its_responses() {
    assert_compiled("docs/resources.md", "examples/resources.rs");
    assert!(check_page("docs/resources.md", resources::server).await >= 6);
}

/// Sends every request on a page and compares the response with the next block. Returns the number of requests.
async fn check_page(page: &str, server: fn() -> Builder) -> usize {
    let blocks: Vec<_> = blocks(&read(page)).into_iter().filter(|block| block.language == "json").collect();
    for pair in blocks.chunks(2) {
        let [request, expected] = pair else { panic!("a request without a response: {}", pair[0].text) };
        let (request, expected): (Value, Value) = (parse(&request.text), parse(&expected.text));
        let client = Client::with_revision(server(), Revision::NEWEST_HANDSHAKE);
        let method = request["method"].as_str().expect("a request has a method");
        let response = client.request(method, request["params"].clone()).await;
        let response = response.unwrap_or_else(|error| json!({"code": error.code.0, "message": error.message}));
        assert!(contains(&response, &expected), "the response to {request} is {response}");
    }
    blocks.len() / 2
}
