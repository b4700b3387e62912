//! Resources of each kind.

use std::sync::Arc;

use mcp_core::dynamic::Resource;
use mcp_core::protocol::ResourceContents;
use mcp_core::{Context, ResourceSpec, resource_fn, tool};
use serde_json::{Value, json};

use crate::content::RED_DOT;

pub fn all() -> [Arc<dyn Resource>; 4] {
    [text(), binary(), watched(), template()]
}

fn text() -> Arc<dyn Resource> {
    let spec = ResourceSpec::new("test://static-text", "static-text", "A text.").mime_type("text/plain");
    resource_fn(spec, |_: Value, _: Context| async { "This is the content of the static text resource." })
}

fn binary() -> Arc<dyn Resource> {
    let spec = ResourceSpec::new("test://static-binary", "static-binary", "A picture.").mime_type("image/png");
    resource_fn(spec, |_: Value, _: Context| async { ResourceContents::bytes("test://static-binary", RED_DOT) })
}

fn watched() -> Arc<dyn Resource> {
    let spec = ResourceSpec::new("test://watched-resource", "watched", "A text to subscribe to.").mime_type("text/plain");
    resource_fn(spec, |_: Value, _: Context| async { "Watched resource content." })
}

fn template() -> Arc<dyn Resource> {
    let spec = ResourceSpec::new("test://template/{id}/data", "template", "One of many.").mime_type("application/json");
    resource_fn(spec, |variables: Value, _: Context| async move {
        let id = variables["id"].as_str().unwrap_or_default();
        json!({"id": id, "templateTest": true, "data": format!("Data for ID: {id}")}).to_string()
    })
}

/// Notify subscribers that the watched resource has changed.
#[tool]
pub fn touch_watched_resource(cx: &Context) -> &'static str {
    cx.resource_updated("test://watched-resource");
    "touched"
}
