//! A server that runs inside WebAssembly. It reads a JSON-RPC message from each line of standard input and writes a line for
//! each response. `run.mjs` starts it with Node.
//!
//! ```sh
//! rustup target add wasm32-wasip1
//! cargo build --package wasm-server --target wasm32-wasip1
//! node examples/wasm/run.mjs target/wasm32-wasip1/debug/wasm-server.wasm
//! ```
//!
//! `mcp-stdio` needs threads, which WebAssembly does not have. This program is therefore a transport of its own: `one_thread.rs`
//! runs the calls of a session on the only thread.

mod one_thread;

use std::io::{self, BufRead, Write};
use std::process::ExitCode;
use std::sync::Arc;

use mcp_core::transport::{Host, Message, Outbox, Outgoing, Reply};
use mcp_core::{server, tool, tools};

use crate::one_thread::OneThread;

/// Add two numbers.
#[tool(read_only)]
fn add(
    /// left addend
    a: i64,
    /// right addend
    b: i64,
) -> i64 {
    a + b
}

fn main() -> ExitCode {
    let server = match server!().tools(tools![add]).build() {
        Ok(server) => server,
        Err(error) => return failure(&error),
    };
    let host = Arc::new(OneThread::default());
    let session = server.session(host.clone(), Arc::new(StandardOutput));
    for line in io::stdin().lock().split(b'\n') {
        let line = match line {
            Ok(line) => line,
            Err(error) => return failure(&error),
        };
        let line = line.trim_ascii();
        if line.is_empty() {
            continue;
        }
        match session.receive(Message::parse(line)) {
            Reply::None => {}
            Reply::Now(response) => write_line(response.to_json().as_bytes()),
            Reply::Later(later) => host.spawn(Box::pin(async {
                if let Some(response) = later.await {
                    write_line(response.to_json().as_bytes());
                }
            })),
        }
        host.run();
    }
    // The client has closed the input: nobody answers the questions of the calls that still wait.
    session.cancel_all();
    ExitCode::SUCCESS
}

/// Sends progress, log messages and questions to the client.
struct StandardOutput;

impl Outbox for StandardOutput {
    fn send(&self, message: Outgoing) {
        write_line(message.as_bytes());
    }
}

/// Writes a message. If the client no longer reads, the process ends at the end of its input.
fn write_line(message: &[u8]) {
    let mut output = io::stdout().lock();
    let _ = output.write_all(message).and_then(|()| output.write_all(b"\n")).and_then(|()| output.flush());
}

#[allow(clippy::print_stderr, reason = "the only place for an error of the program itself")]
fn failure(error: &dyn std::error::Error) -> ExitCode {
    eprintln!("wasm-server: {error}");
    ExitCode::FAILURE
}
