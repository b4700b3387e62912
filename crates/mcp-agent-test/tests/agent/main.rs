//! Tests of `mcp-agent` with the real CLI and a scripted model, and with scripted CLIs.
//!
//! The tests with the real CLI need Unix: its package for Windows is another one, which does not run under Wine. Those of scripted
//! CLIs run on Windows too, except for those with signals: `tests/windows.rs` has these.

#[cfg(unix)]
mod bypass_rows;
#[cfg(unix)]
mod cost_tracking;
mod faulty_cli;
#[cfg(unix)]
mod hooks;
#[cfg(unix)]
mod hostile_project;
#[cfg(unix)]
mod hostile_values;
#[cfg(unix)]
mod message_consumers;
#[cfg(unix)]
mod message_types;
#[cfg(unix)]
mod model_and_sandbox;
#[cfg(unix)]
mod mount_changes;
mod mount_protocol;
#[cfg(unix)]
mod mounts;
#[cfg(unix)]
mod options;
#[cfg(unix)]
mod permissions;
#[cfg(unix)]
mod rules;
#[cfg(unix)]
mod scripted_cli;
#[cfg(unix)]
mod session_requests;
#[cfg(unix)]
mod settings;
#[cfg_attr(windows, allow(dead_code, unused_macros, unused_imports, reason = "the tests with the real CLI use the rest"))]
mod test_setup;
#[cfg(unix)]
mod turn_failures;
#[cfg(unix)]
mod turns;
mod unread_messages;
