//! Tools that send log messages and progress notifications.

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

/// Close the stream, continue to work, and respond when the client has reconnected.
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
        // Progress notifications are limited to ten a second; faster ones are merged.
        sleep(PAUSE * 2 + PAUSE / 2).await;
    }
    "Tool with progress executed successfully"
}
