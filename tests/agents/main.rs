//! The agent examples with the real CLI and a scripted model: over pipes, in a terminal (tmux) and in a browser (Chromium).
// Not on Windows: the CLI is another program there, which does not run under Wine.
#![cfg(unix)]

mod browser_events;
mod browser_page;
mod browser_reconnect;
#[path = "../support/built_examples.rs"]
mod built_examples;
mod chromium;
mod history;
mod setup;
mod small_examples;
mod terminal_keyboard;
mod terminal_permissions;
mod terminal_pipe;
#[path = "../../mcp-stdio/tests/process/tmux.rs"]
mod tmux;
