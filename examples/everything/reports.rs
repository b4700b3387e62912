//! Tools that report while they work.

use std::time::Duration;

use mcp_core::{Context, LogLevel, tool};
use tokio::time::sleep;

const PAUSE: Duration = Duration::from_millis(50);

/// Log three messages.
#[tool]
pub async fn test_tool_with_logging(cx: &Context) -> &'static str {
    cx.log(LogLevel::Info, "Tool execution started");
    sleep(PAUSE).await;
    cx.log(LogLevel::Info, "Tool processing data");
    sleep(PAUSE).await;
    cx.log(LogLevel::Info, "Tool execution completed");
    "Tool with logging executed successfully"
}

/// Log a message of each level.
#[tool]
pub async fn test_logging_tool(cx: &Context) -> &'static str {
    for level in LogLevel::ALL {
        cx.log(level, format!("a message of level {level}"));
    }
    "logged"
}

/// Let go of the connection, work on, and answer when the client is back.
#[tool]
pub async fn test_reconnection(cx: &Context) -> &'static str {
    cx.release_connection();
    sleep(PAUSE).await;
    "Reconnection test completed"
}

/// Report progress three times.
#[tool]
pub async fn test_tool_with_progress(cx: &Context) -> &'static str {
    for done in [0, 50, 100] {
        cx.progress(done, 100, format!("Completed step {done} of 100"));
        // Reports that come faster than ten a second are joined.
        sleep(PAUSE * 2 + PAUSE / 2).await;
    }
    "Tool with progress executed successfully"
}
