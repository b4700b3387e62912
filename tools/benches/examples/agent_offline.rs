//! Prints as JSON the path of the pinned Claude Code CLI, and an environment in which it reaches only a scripted model. Runs until its
//! standard input ends.
#![expect(clippy::print_stdout, reason = "the benchmark reads the result from standard output")]

use std::collections::BTreeMap;
use std::io;

use mcp_agent_test::{Cli, Model, Sandbox, Turn, prompt};
use serde_json::json;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (cli, model, sandbox) = (Cli::pinned()?, Model::start()?, Sandbox::new()?);
    let env: BTreeMap<String, String> = sandbox.env(&model).into_iter().collect();
    let turns = [Turn::tool("mcp__bench__add", json!({"a": 2, "b": 3})), Turn::text("done")];
    println!("{}", json!({"cli": cli.path(), "env": env, "folder": sandbox.work(), "prompt": prompt("add", turns)}));
    io::copy(&mut io::stdin().lock(), &mut io::sink())?;
    Ok(())
}
