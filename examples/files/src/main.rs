//! `files-server FOLDER ...` serves folders over standard input and output, as `npx @modelcontextprotocol/server-filesystem` does.

use std::io::Write;
use std::process::ExitCode;

use files_server::{Folders, server};

fn main() -> ExitCode {
    mcp_stdio::logs();
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    // Words after `--` are a command, as in `files-server /data -- tools`.
    let command = words.iter().position(|word| word == "--").map(|at| words.split_off(at).split_off(1)).unwrap_or_default();
    let (folders, warnings) = Folders::open(&words);
    for warning in &warnings {
        let _ = writeln!(std::io::stderr(), "files-server: {warning}");
    }
    if folders.is_empty() && !words.is_empty() {
        let _ = writeln!(std::io::stderr(), "files-server: none of the folders can be opened");
        return ExitCode::FAILURE;
    }
    mcp_stdio::Stdio::new().arguments(command).run(server(folders))
}
