//! Tests of `mcp-agent` with the real CLI and a scripted model, and with scripted CLIs.
#![cfg(unix)]

mod bypass_rows;
mod cost_tracking;
mod faulty_cli;
mod hooks;
mod hostile_project;
mod hostile_values;
mod message_consumers;
mod message_types;
mod model_and_sandbox;
mod mount_changes;
mod mount_protocol;
mod mounts;
mod options;
mod permissions;
mod rules;
mod scripted_cli;
mod session_requests;
mod settings;
mod test_setup;
mod turn_failures;
mod turns;
mod unread_messages;
