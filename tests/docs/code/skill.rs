//! The code of `SKILL.md`.

use mcp_core::{Builder, Context, Json, ToolError, json_type, server, tool, tools};

/// A place.
#[json_type]
struct Place {
    name: String,
    /// metres above the sea
    height: Option<f64>,
}

/// All places. Tools borrow it.
struct Places(Vec<Place>);

/// Find places by a part of their name.
#[tool(read_only)]
fn find_places(
    /// a part of the name
    name: String,
    /// the maximum number of places
    #[default(10)]
    limit: u32,
    places: &Places,
    cx: &Context,
) -> Result<Json<Vec<String>>, ToolError> {
    if name.is_empty() {
        return Err("the name is empty: give at least one letter".into());
    }
    cx.progress(0, places.0.len(), "searching");
    let found = places.0.iter().filter(|place| place.name.contains(&name)).take(limit as usize);
    Ok(Json(found.map(|place| place.name.clone()).collect()))
}

pub fn server() -> Builder {
    server!().tools(tools![find_places]).state(Places(Vec::new()))
}

#[tokio::test]
async fn places_are_found() {
    let client = mcp_test::Client::new(server());
    let result = client.call("find_places", serde_json::json!({"name": "x"})).await;
    assert!(!result.is_error, "{}", result.to_text());
}
