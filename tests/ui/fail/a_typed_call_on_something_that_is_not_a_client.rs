use mcp_core::{server, tool, tools};

/// Add two numbers.
#[tool]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

async fn ask() {
    let server = server!().tools(tools![add]).build().unwrap();
    let _ = add::on(&server).call(2, 3).await;
}

fn main() {}
