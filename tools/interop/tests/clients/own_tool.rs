//! Files that the command line of a server writes, read by the programs they are for: Claude Code and the official bundler.

use std::{fs, process::Command, time::Duration};

use interop::{Node, calculator};
use test_env::{Finished, needs, run};

use crate::{claude_code, sandbox};

fn finish(command: Command) -> Finished {
    let finished = run(command, Duration::from_secs(180)).expect("the program finishes");
    assert!(finished.status.success(), "{}{}", finished.stdout, finished.stderr);
    finished
}

#[test]
fn claude_code_connects_to_servers_that_the_install_command_added() {
    let Some(claude) = crate::claude_code_cli() else {
        return;
    };
    let sandbox = sandbox("install-claude-code");
    // First without a configuration file, then into the file that Claude Code has rewritten in between.
    for name in ["calculator", "sums"] {
        let mut install = sandbox.command(calculator());
        install.args(["install", "claude-code", "--write", "--name", name]);
        assert!(finish(install).stdout.contains(".claude.json"));
        let listed = finish(claude_code::cli(claude.path(), &sandbox, &["mcp", "list"])).stdout;
        let line = listed.lines().find(|line| line.starts_with(&format!("{name}:"))).unwrap_or_else(|| panic!("{listed}"));
        assert!(line.ends_with("✔ Connected"), "{listed}");
    }
    let listed = finish(claude_code::cli(claude.path(), &sandbox, &["mcp", "list"])).stdout;
    assert_eq!(listed.matches("✔ Connected").count(), 2, "{listed}");
}

#[test]
fn the_official_bundler_accepts_the_manifest_and_packs_the_server() {
    let Some(node) = needs(Node::mcpb()) else {
        return;
    };
    let sandbox = sandbox("mcpb");
    let bundle = sandbox.temporary().join("bundle");
    fs::create_dir_all(bundle.join("server")).expect("the sandbox is writable");
    let mut manifest = sandbox.command(calculator());
    manifest.args(["manifest", "--author", "Somebody"]);
    fs::write(bundle.join("manifest.json"), finish(manifest).stdout).expect("the sandbox is writable");
    fs::copy(calculator(), bundle.join("server/calculator")).expect("the sandbox is writable");

    let mcpb = |arguments: &[&str]| {
        let mut command = node.program("@anthropic-ai/mcpb/dist/cli/cli.js", &sandbox);
        command.args(arguments).current_dir(&bundle);
        finish(command).stdout
    };
    let output = mcpb(&["validate", "manifest.json"]);
    assert!(output.contains("validation passes"), "{output}");
    mcpb(&["pack", ".", "../calculator.mcpb"]);
    let packed = fs::read(sandbox.temporary().join("calculator.mcpb")).expect("the bundle is there");
    assert!(packed.starts_with(b"PK"), "a bundle is a zip file");
}
