use mcp_core::{Json, tool};

#[derive(schemars::JsonSchema)]
struct Weather {
    degrees: f64,
}

/// Tell the weather.
#[tool]
async fn weather() -> Result<Json<Weather>, String> {
    Ok(Json(Weather { degrees: 20.5 }))
}

fn main() {}
