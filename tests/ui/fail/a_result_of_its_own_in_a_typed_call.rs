use mcp_core::{IntoToolResult, ToolResult, tool};

struct Weather;

impl IntoToolResult for Weather {
    fn into_tool_result(self) -> ToolResult {
        ToolResult::text("sunny")
    }
}

/// Tell the weather.
#[tool]
fn weather() -> Weather {
    Weather
}

async fn ask(client: &mcp_test::Client) {
    let _ = weather::on(client).call().await;
}

fn main() {}
