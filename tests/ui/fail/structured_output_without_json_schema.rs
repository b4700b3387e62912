use mcp_core::{Json, tool};

#[derive(serde::Serialize)]
struct Weather {
    degrees: f64,
}

/// Tell the weather.
#[tool]
async fn weather() -> Json<Weather> {
    Json(Weather { degrees: 20.5 })
}

fn main() {}
