//! Runs `cargo mcp list`, `call`, `read`, `prompt` and `complete` as a user does, against the example `playground`.

mod commands;
// Not on Windows: the browser is a script on the `PATH`, and Windows starts `rundll32` of the system.
#[cfg(unix)]
mod login;
// Not on Windows: the commands of the page are for `sh`. The tests in `commands` run the same ones there.
#[cfg(unix)]
mod page;
mod servers;
mod setup;
// Not on Windows: it has no tmux.
#[cfg(unix)]
mod terminal;
// Not on Windows: it has no tmux.
#[cfg(unix)]
#[path = "../../../../mcp-stdio/tests/process/tmux.rs"]
mod tmux;
