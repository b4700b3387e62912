//! The Claude Code CLI, offline and with a key that is none: it needs no model to say whether a server is there.

use std::{ffi::OsStr, path::Path, process::Command, time::Duration};

use interop::{Sandbox, run};
use mcp_agent_test::Cli;

use crate::sandbox;

#[test]
fn claude_code_shows_the_calculator_as_connected() {
    let Some(claude) = Cli::or_skip() else {
        return;
    };
    let claude = claude.path();
    let sandbox = sandbox("claude-code");

    let version = say(cli(claude, &sandbox, &["--version"]));
    assert!(version.starts_with("2.1.325 "), "{version}");
    let mut add = cli(claude, &sandbox, &["mcp", "add", "-s", "local", "calculator", "--"]);
    add.args(sandbox.server());
    say(add);
    let listed = say(cli(claude, &sandbox, &["mcp", "list"]));
    let line = listed.lines().find(|line| line.starts_with("calculator:")).unwrap_or_else(|| panic!("{listed}"));
    assert!(line.ends_with("✔ Connected"), "{listed}");

    let conversations = sandbox.conversations();
    assert_eq!(conversations.len(), 1, "the list made one connection");
    for conversation in conversations {
        // The CLI ends its server without a word, so there is no exit to look at.
        conversation.check();
        let (_, tools) = conversation
            .exchanges()
            .find(|(request, _)| request["method"] == "tools/list")
            .expect("connected means that the tools were listed");
        assert_eq!(tools["result"]["tools"].as_array().map(Vec::len), Some(3), "{tools}");
    }
}

pub(crate) fn cli(claude: &Path, sandbox: &Sandbox, arguments: &[impl AsRef<OsStr>]) -> Command {
    let mut command = sandbox.command(claude);
    command
        .env("CLAUDE_CODE_TMPDIR", sandbox.temporary())
        .env("ANTHROPIC_BASE_URL", "http://127.0.0.1:9")
        .env("ANTHROPIC_API_KEY", "fake")
        .env("DISABLE_TELEMETRY", "1")
        .env("DISABLE_AUTOUPDATER", "1")
        .env("DISABLE_ERROR_REPORTING", "1")
        .env("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1")
        .env("IS_SANDBOX", "1")
        .args(arguments);
    command
}

pub(crate) fn say(command: Command) -> String {
    let finished = run(command, Duration::from_secs(180)).expect("the CLI runs to its end");
    assert!(finished.status.success(), "{}{}", finished.stdout, finished.stderr);
    finished.stdout
}
