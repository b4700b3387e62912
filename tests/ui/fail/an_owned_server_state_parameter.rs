use mcp_core::tool;

use std::sync::Mutex;

struct Log(Mutex<Vec<String>>);

/// Write a line to the log.
#[tool]
fn write(line: String, log: Log) {
    log.0.lock().unwrap().push(line);
}

fn main() {}
