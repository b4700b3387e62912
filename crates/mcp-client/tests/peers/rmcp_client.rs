//! The client before the migration, as `docs/from-rmcp.md` shows it. It only has to compile.
#![allow(dead_code, clippy::print_stdout, reason = "it is what the page shows")]

use rmcp::ServiceExt;
use rmcp::model::{CallToolRequestParams, ContentBlock};
use rmcp::transport::TokioChildProcess;
use tokio::process::Command;

async fn remember(server: Command) -> Result<String, Box<dyn std::error::Error>> {
    let client = ().serve(TokioChildProcess::new(server)?).await?;
    for tool in client.list_all_tools().await? {
        println!("{}", tool.name);
    }
    let arguments = serde_json::json!({"title": "tea", "text": "three minutes"});
    let request = CallToolRequestParams::new("write").with_arguments(arguments.as_object().cloned().unwrap_or_default());
    let result = client.call_tool(request).await?;
    let texts = result.content.iter().filter_map(|content| match content {
        ContentBlock::Text(text) => Some(text.text.as_str()),
        _ => None,
    });
    let text = texts.collect();
    client.cancel().await?;
    Ok(text)
}
