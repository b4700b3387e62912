//! `mcp-guard explain`: what would happen to a tool use, and which rule says so.

use std::env;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use mcp_guard::Rules;
use serde_json::Value;

const USAGE: &str = "usage: mcp-guard explain <tool> <input as JSON> [--directory <dir>] [--in <dir>] [--home <dir>]

Says what the permission settings of Claude Code decide about a tool use, and
which rules match it. Nothing is run. The settings are those of the current
directory or of --directory. --in is the directory that the tool use works in,
if it is another one, for example after a `cd`. For example:

  mcp-guard explain Bash '{\"command\": \"git push\"}'
";

fn main() -> ExitCode {
    match run(env::args().skip(1).collect()) {
        Ok(text) => {
            let written = io::stdout().write_all(text.as_bytes());
            if written.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(error) => {
            let _ = writeln!(io::stderr(), "{error}");
            ExitCode::from(2)
        }
    }
}

fn run(mut arguments: Vec<String>) -> Result<String, String> {
    let directory = option(&mut arguments, "--directory")?.map_or_else(env::current_dir, std::path::absolute);
    let directory = directory.map_err(|error| format!("the directory is not known: {error}"))?;
    let home =
        option(&mut arguments, "--home")?.or_else(env::home_dir).ok_or("the home directory is not known: pass --home")?;
    let current = option(&mut arguments, "--in")?.map_or_else(|| Ok(directory.clone()), std::path::absolute);
    let current = current.map_err(|error| format!("the directory of --in is not known: {error}"))?;
    let [command, tool, input] = arguments.as_slice() else { return Err(USAGE.to_owned()) };
    if command != "explain" {
        return Err(USAGE.to_owned());
    }
    let input: Value = serde_json::from_str(input).map_err(|error| format!("the input is not valid JSON: {error}"))?;
    let rules = Rules::load(directory, home).map_err(|error| error.to_string())?;
    Ok(rules.explain_in(current, tool, &input).to_string())
}

/// Removes an option and its value from the arguments.
fn option(arguments: &mut Vec<String>, name: &str) -> Result<Option<PathBuf>, String> {
    let Some(at) = arguments.iter().position(|argument| argument == name) else { return Ok(None) };
    if at + 1 == arguments.len() {
        return Err(format!("the option {name} needs a value"));
    }
    arguments.remove(at);
    Ok(Some(PathBuf::from(arguments.remove(at))))
}
