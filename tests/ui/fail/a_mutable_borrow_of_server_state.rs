use mcp_core::tool;

struct Log(Vec<String>);

/// Write a line to the log.
#[tool]
fn write(line: String, log: &mut Log) {
    log.0.push(line);
}

fn main() {}
