//! Tools that run as tasks: the request is answered at once, and the client fetches the result later. A task can ask the
//! user and report its status. This is the code of `docs/tasks.md`; a test compares the two.
//!
//! ```sh
//! cargo run --example tasks -- tools
//! ```

use std::process::ExitCode;
use std::time::Duration;

use mcp_core::task::Tasks;
use mcp_core::{Builder, Context, Server, ToolError, json_type, tool, tools};

#[json_type]
struct Approval {
    /// the name of the person who approves it
    name: String,
}

/// Print the yearly report.
#[tool(task = optional)]
async fn print_report(
    /// how many copies
    copies: u32,
    cx: &Context,
) -> Result<String, ToolError> {
    cx.progress(0, copies, "waiting for an approval");
    let approval = cx.elicit::<Approval>(format!("Print {copies} copies?")).await?.accepted();
    let approval = approval.ok_or("the printing was not approved")?;
    Ok(format!("printed {copies} copies, approved by {}", approval.name))
}

/// Watch the printer until the client cancels.
#[tool(task = required)]
async fn watch_printer(cx: &Context) {
    cx.cancelled().await;
}

pub fn server() -> Builder {
    let tasks = Tasks::default().ttl(Duration::from_secs(600)).poll_interval(Duration::from_secs(2));
    Server::builder("printer", env!("CARGO_PKG_VERSION")).tools(tools![print_report, watch_printer]).tasks(tasks)
}

fn main() -> ExitCode {
    mcp_stdio::run(server())
}
