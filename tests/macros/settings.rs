//! Tests of the keys of `#[tool(..)]`.

use std::time::Duration;

use mcp_core::protocol::Icon;
use mcp_core::{Server, Toolset, tool, tools};
use serde_json::json;

use crate::asking::describe;

const TITLE: &str = "Everything";

/// This is not the description.
#[tool(
    name = "every.thing-1",
    title = TITLE,
    description = concat!("All ", "of it."),
    read_only = false,
    destructive,
    idempotent = true,
    open_world = false,
    icon = "https://example.com/a.svg",
    icons = [Icon::new("https://example.com/b.png").size("48x48"), "https://example.com/c.png"],
    timeout = Duration::from_secs(5),
    always_load,
    max_result_size = 200_000,
    meta("acme/cost" = 3, plain = "x", "acme/tags" = json!(["a", "b"])),
    task = optional,
    scope = "things:read",
    scopes = ["things:write", TITLE],
)]
fn everything() {}

#[test]
fn every_key_is_in_the_tool_list() {
    let tool = describe(Server::builder("test", "1").tools(tools![everything]), "every.thing-1");
    assert_eq!(tool["title"], "Everything");
    assert_eq!(tool["description"], "All of it.");
    let hints = json!({"readOnlyHint": false, "destructiveHint": true, "idempotentHint": true, "openWorldHint": false});
    assert_eq!(tool["annotations"], hints);
    let icons = json!([
        {"src": "https://example.com/a.svg"},
        {"src": "https://example.com/b.png", "sizes": ["48x48"]},
        {"src": "https://example.com/c.png"},
    ]);
    assert_eq!(tool["icons"], icons);
    let meta = json!({
        "anthropic/alwaysLoad": true, "anthropic/maxResultSizeChars": 200_000,
        "acme/cost": 3, "plain": "x", "acme/tags": ["a", "b"],
    });
    assert_eq!(tool["_meta"], meta);
    assert_eq!(tool["execution"], json!({"taskSupport": "optional"}));
    let set = tools![everything].into_tools();
    assert_eq!(set[0].spec().required_scopes().collect::<Vec<_>>(), ["things:read", "things:write", "Everything"]);
}

#[doc = include_str!("description.md")]
#[tool]
fn from_a_file() {}

#[test]
fn a_description_can_come_from_a_file() {
    let tool = describe(Server::builder("test", "1").tools(tools![from_a_file]), "from_a_file");
    assert_eq!(tool["description"], "Described in a file.");
}

/// Exists on every system.
#[tool]
fn everywhere() {}

/// Exists on no system.
#[tool]
#[cfg(any())]
fn nowhere() -> NoSuchType {}

#[test]
fn a_tool_can_have_a_cfg_attribute() {
    let set = tools![
        everywhere,
        #[cfg(any())]
        nowhere,
        #[cfg(all())]
        everything
    ];
    let names: Vec<_> = set.into_tools().iter().map(|tool| tool.spec().name().to_owned()).collect();
    assert_eq!(names, ["everywhere", "every.thing-1"]);
}

#[test]
fn a_toolset_can_be_empty() {
    assert!(Server::builder("test", "1").tools(tools![]).build().is_ok());
}
