//! Tests of the runner with a faulty CLI and with faulty callbacks.

mod control_requests;
mod process_exit;
mod startup;
mod stderr;
mod stdout_lines;

use mcp_agent::{Agent, Error, Message, Session};
use mcp_agent_test::{Script, ScriptedCli, ScriptedProgram};

use crate::test_setup::within;

/// A CLI that runs a script as a process.
fn program(script: Script) -> ScriptedProgram {
    ScriptedProgram::new(env!("CARGO_BIN_EXE_scripted-cli"), script).unwrap()
}

/// An agent with this process as its CLI.
fn with_program(cli: &ScriptedProgram) -> Agent {
    Agent::new().program(cli.path())
}

/// An agent with this in-memory CLI.
fn in_memory(cli: &ScriptedCli) -> Agent {
    Agent::new().transport(cli.clone())
}

/// Reads all messages of the run.
async fn messages(session: &mut Session) -> Result<Vec<Message>, Error> {
    let mut messages = Vec::new();
    while let Some(message) = within(session.next()).await? {
        messages.push(message);
    }
    Ok(messages)
}
