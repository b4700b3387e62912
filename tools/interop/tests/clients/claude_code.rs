//! The Claude Code CLI, offline and with a fake API key. It needs no model to report whether a server is connected.

use std::{ffi::OsStr, path::Path, process::Command, time::Duration};

use interop::Sandbox;
use test_env::run;

use crate::sandbox;

#[test]
fn claude_code_shows_the_calculator_as_connected() {
    let Some(claude) = crate::claude_code_cli() else {
        return;
    };
    let claude = claude.path();
    let sandbox = sandbox("claude-code");

    let version = output_of(cli(claude, &sandbox, &["--version"]));
    assert!(version.starts_with("2.1.327 "), "{version}");
    let mut add = cli(claude, &sandbox, &["mcp", "add", "-s", "local", "calculator", "--"]);
    add.args(sandbox.server());
    output_of(add);
    let listed = output_of(cli(claude, &sandbox, &["mcp", "list"]));
    assert!(listed.contains("calculator"), "{listed}");

    let recordings = sandbox.recordings();
    assert_eq!(recordings.len(), 1, "the command made one connection");
    for recording in recordings {
        // The CLI kills its server, so there is no exit code.
        recording.check();
        let (_, tools) = recording
            .exchanges()
            .find(|(request, _)| request["method"] == "tools/list")
            .expect("the client listed the tools");
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

pub(crate) fn output_of(command: Command) -> String {
    let finished = run(command, Duration::from_secs(180)).expect("the CLI finishes");
    assert!(finished.status.success(), "{}{}", finished.stdout, finished.stderr);
    finished.stdout
}
