use mcp_core::{Json, tool};

use schemars::JsonSchema;
use serde::Serialize;

#[derive(Serialize, JsonSchema)]
struct Weather {
    celsius: f64,
}

/// Tell the weather.
#[tool]
fn weather(celsius: f64) -> Json<Weather> {
    Json(Weather { celsius })
}

async fn ask(client: &mcp_test::Client) {
    let _ = weather::on(client).call(20.0).await;
}

fn main() {}
