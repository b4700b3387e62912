//! The examples that are agents, as their users meet them: in a terminal, and in a browser. With the real CLI and a scripted
//! model.
#![cfg(unix)]

mod browser;
mod guide;
mod history;
mod live;
#[path = "../it/page.rs"]
#[allow(dead_code, reason = "other pages need more of it")]
mod page;
mod stage;
mod terminal;
#[path = "../../mcp-stdio/tests/process/tmux.rs"]
mod tmux;
mod typed;
