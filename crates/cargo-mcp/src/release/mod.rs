//! `cargo mcp release`: builds a server and writes everything that publishing it needs.
//!
//! `project` reads `Cargo.toml`, `build` compiles, `folders` keeps the paths of this machine out of the program, `bundle` packs a binary, `server_json` and `plugin` describe the release for the
//! MCP registry and for Claude Code, `setup` prepares a project. The same commit gives the same bytes.

mod build;
mod bundle;
mod folders;
mod plugin;
mod project;
mod rustflags;
mod server_json;
mod setup;
mod workflow;

use std::fs;
use std::path::{Path, PathBuf};

use mcp_cli::{Arguments, UsageError};

use crate::{Failure, say};
use build::Compiler;
use project::Project;

/// Runs the command with the words that follow it.
pub(crate) fn run(words: &[String]) -> Result<(), Failure> {
    let usage = |error: UsageError| Failure::usage(error.to_string());
    let mut arguments = Arguments::new(words.to_vec());
    let (setup, no_build) = (arguments.flag("--setup"), arguments.flag("--no-build"));
    let targets = arguments.values("--target").map_err(usage)?;
    let profile = arguments.value("--profile").map_err(usage)?.unwrap_or_else(|| "release".to_owned());
    let out = arguments.value("--out").map_err(usage)?;
    arguments.finish("release").map_err(usage)?;
    if no_build && !targets.is_empty() {
        return Err(Failure::usage("use either `--no-build` or `--target`"));
    }
    let project = Project::read()?;
    if setup {
        return setup::run(&project);
    }
    let out = out.map_or_else(|| project.target_folder.join("mcp-release"), PathBuf::from);
    make_folder(&out)?;
    if !no_build {
        let compiler = Compiler::read()?;
        let targets = if targets.is_empty() { vec![compiler.host.clone()] } else { targets };
        for target in &targets {
            let program = build::build(&project, &compiler, target, &profile)?;
            bundle::write(&project, target, &program, &out)?;
        }
    }
    describe(&project, &out)
}

/// Writes the files about all bundles in the folder. Some of them may come from other machines.
fn describe(project: &Project, out: &Path) -> Result<(), Failure> {
    let bundles = bundle::all(project, out)?;
    let sums: String = bundles.iter().map(|bundle| format!("{}  {}\n", bundle.sha256, bundle.file)).collect();
    let entry = server_json::entry(project, &bundles);
    let faults = server_json::faults(&entry);
    if !faults.is_empty() {
        let faults: Vec<String> = faults.iter().map(|fault| format!("\n- {fault}")).collect();
        return Err(Failure::new(format!("the registry would reject server.json:{}", faults.concat())));
    }
    write(&out.join("SHA256SUMS"), &sums)?;
    write(&out.join("server.json"), &format!("{entry:#}\n"))?;
    plugin::write(project, &out.join("plugin"))?;
    let names: Vec<&str> = bundles.iter().map(|bundle| bundle.file.as_str()).collect();
    say(&format!("{}\n{}\nSHA256SUMS\nserver.json\nplugin/\n", out.display(), names.join("\n")))
}

fn make_folder(folder: &Path) -> Result<(), Failure> {
    fs::create_dir_all(folder).map_err(|error| Failure::new(format!("cannot create {}: {error}", folder.display())))
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    path.parent().map_or(Ok(()), make_folder)?;
    fs::write(path, text).map_err(|error| Failure::new(format!("cannot write {}: {error}", path.display())))
}
