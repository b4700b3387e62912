//! The Rust code of the README and of the pages in `docs/`, one file for each page. `code_and_links.rs` compares the two.
#![allow(dead_code, unused_imports, reason = "some of it only has to compile")]

mod agent;
mod agent_answers;
mod agent_hooks;
mod agent_limits;
mod agent_servers;
mod agent_sessions;
mod agent_testing;
// Not on Windows: the examples start programs of Unix.
#[cfg(unix)]
mod agent_transports;
mod client;
mod client_authorization;
mod client_run;
mod errors;
mod from_agent_sdk;
mod from_rmcp;
mod from_rmcp_client;
mod own_command_line;
mod permissions;
mod readme;
mod skill;
mod state;
mod testing;
mod watching;
