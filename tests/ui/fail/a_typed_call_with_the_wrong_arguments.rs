use mcp_core::{Context, tool};

/// Add two numbers.
#[tool]
async fn add(a: i64, b: i64, _cx: &Context) -> i64 {
    a + b
}

async fn ask(client: &mcp_test::Client) {
    let _ = add::on(client).call("2", 3).await;
    let _ = add::on(client).call(2).await;
}

fn main() {}
