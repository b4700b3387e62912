//! Tests of `mcp-agent` with the real CLI and a scripted model, and with scripted CLIs.

mod faulty_cli;
mod joins;
mod mount_protocol;
mod processes;
mod scripted_cli;
#[cfg_attr(windows, allow(dead_code, unused_macros, unused_imports, reason = "the tests with the real CLI use the rest"))]
mod test_setup;
mod unread_messages;

// Not on Windows: the CLI is another program there, which does not run under Wine.
#[cfg(unix)]
#[path = "."]
mod real_cli {
    mod bypass_rows;
    mod cost_tracking;
    mod external_servers;
    mod hook_events;
    mod hooks;
    mod hostile_project;
    mod hostile_values;
    mod limits;
    mod message_consumers;
    mod message_types;
    mod model_and_sandbox;
    mod mount_changes;
    mod mounts;
    mod option_effects;
    mod option_sources;
    mod options;
    mod other_user;
    mod permissions;
    mod prewarm;
    mod prompt_streams;
    mod rules;
    mod session_requests;
    mod settings;
    mod tool_results;
    mod turn_failures;
    mod turns;
}
