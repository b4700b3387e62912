//! The page about tools shows code that compiles, and the schemas and results that clients get.

use mcp_core::protocol::Revision;
use mcp_test::Client;
use serde_json::{Map, Value, json};

use crate::example_servers::tools;
use crate::markdown::{Block, assert_compiled, blocks, read};

const PAGE: &str = "docs/tools.md";
const SERVER: &str = "io.modelcontextprotocol/serverInfo";

#[test]
fn the_page_shows_the_code_of_the_example() {
    assert_compiled(PAGE, "examples/tools.rs");
}

#[tokio::test]
async fn every_schema_and_every_result_on_the_page_equals_that_of_the_server() {
    let mut tool = String::new();
    let (mut schemas, mut results) = (0, 0);
    for block in blocks(&read(PAGE)) {
        if block.language == "rust" {
            // A JSON block is about the last function before it, unless it names another tool.
            let (_, function) = block.text.rsplit_once("fn ").expect("a block of code has a function");
            tool = function.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap().to_owned();
        }
        if block.language != "json" {
            continue;
        }
        let mut shown: Map<String, Value> = serde_json::from_str(&block.text).expect(&block.text);
        if let Some(name) = shown.get("name").and_then(Value::as_str) {
            tool = name.to_owned();
        }
        let client = Client::with_revision(tools::server(), revision(&block));
        if let Some(arguments) = shown.remove("arguments") {
            let mut result = client.call(&tool, arguments).await;
            // In the newest revision every result names the server. The page leaves this out.
            result.meta = result.meta.map(|meta| meta.into_iter().filter(|(key, _)| key != SERVER).collect());
            result.meta = result.meta.filter(|meta: &Map<_, _>| !meta.is_empty());
            assert_eq!(json!(result), json!(shown), "{tool}");
            results += 1;
        } else {
            let listed = client.list_tools().await;
            let listed = listed.iter().find(|listed| listed["name"] == tool).unwrap_or_else(|| panic!("no tool {tool}"));
            for (key, value) in shown {
                assert_eq!(listed[&key], value, "{key} of {tool}");
            }
            schemas += 1;
        }
    }
    assert!(schemas > 10 && results > 8, "{schemas} schemas and {results} results");
}

#[tokio::test]
async fn the_hook_on_the_page_rejects_calls() {
    let refused = Client::new(tools::server()).call("rooms.delete", json!({"number": 1})).await;
    assert_eq!((refused.to_text().as_str(), refused.is_error), ("deleting is switched off today", true));
}

/// Returns the revision that a block names, or the newest one.
fn revision(block: &Block) -> Revision {
    match block.note.as_str() {
        "" => Revision::NEWEST,
        name => Revision::parse(name).unwrap_or_else(|| panic!("no revision {name}")),
    }
}
