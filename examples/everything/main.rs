//! A server with every feature. It has the tools, prompts and resources that the official conformance suite requests by
//! name.
//!
//! ```sh
//! cargo run --example everything -- --http 8080   # over HTTP, at http://127.0.0.1:8080/mcp
//! cargo run --example everything -- tools          # lists the tools; without arguments it serves stdio
//! ```

mod asking;
mod change;
mod content;
mod prompts;
mod reports;
mod resources;
mod schemas;
mod tasks;

use std::process::ExitCode;

use mcp_core::{Builder, Live, Server, tools};

/// Creates the live server. Some of its tools change it.
pub fn server() -> Live {
    change::Changing::begin(everything)
}

/// Builds the server without any change.
fn everything() -> Builder {
    Server::builder("everything", env!("CARGO_PKG_VERSION"))
        .instructions("Every feature that a server can have, for tests of clients and servers.")
        .tools(tools![
            schemas::test_custom_header,
            content::test_simple_text,
            content::test_image_content,
            content::test_audio_content,
            content::test_embedded_resource,
            content::test_multiple_content_types,
            content::test_error_handling,
            reports::test_tool_with_logging,
            reports::test_logging_tool,
            reports::test_tool_with_progress,
            reports::test_reconnection,
            asking::test_sampling,
            asking::test_elicitation,
            asking::test_elicitation_sep1034_defaults,
            asking::test_elicitation_sep1330_enums,
            asking::test_missing_capability,
            asking::test_streaming_elicitation,
            asking::test_input_required_result_elicitation,
            asking::test_input_required_result_sampling,
            asking::test_input_required_result_list_roots,
            asking::test_input_required_result_request_state,
            asking::test_input_required_result_multiple_inputs,
            asking::test_input_required_result_multi_round,
            asking::test_input_required_result_tampered_state,
            asking::test_input_required_result_capabilities,
        ])
        .tools(tools![
            resources::touch_watched_resource,
            tasks::greet,
            tasks::slow_compute,
            tasks::failing_job,
            tasks::protocol_error_job,
            tasks::confirm_delete,
            tasks::multi_input,
            tasks::test_tool_with_task,
        ])
        .tools(schemas::json_schema_2020_12_tool())
        .prompts(prompts::all())
        .resources(resources::all())
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    match (arguments.next().as_deref(), arguments.next().and_then(|port| port.parse().ok())) {
        (Some("--http"), Some(port)) => over_http(port),
        _ => mcp_stdio::run(server()),
    }
}

#[tokio::main]
async fn over_http(port: u16) -> ExitCode {
    match serve(port).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

async fn serve(port: u16) -> Result<(), mcp_http::Error> {
    let listener = mcp_http::Http::new().listen(server(), ("127.0.0.1", port)).await?;
    println!("http://{}/mcp", listener.address());
    listener.serve().await
}
