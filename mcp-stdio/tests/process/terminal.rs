//! What people see on a real terminal, with tmux as the terminal.

use std::process::{Command, Output};
use std::thread;
use std::time::{Duration, Instant};

use crate::client::{LONG, example};

/// A terminal of 100 columns and 40 lines with a shell in it.
struct Terminal {
    socket: String,
}

impl Terminal {
    /// None, and a word about it, where there is no tmux; where `CI=true` promises one, a failure.
    #[expect(clippy::print_stderr, reason = "the reader of the test output must learn that nothing was proved")]
    fn open(test: &str) -> Option<Terminal> {
        if Command::new("tmux").arg("-V").output().is_err() {
            assert!(std::env::var_os("CI").is_none_or(|ci| ci != "true"), "no tmux");
            eprintln!("SKIPPED: no tmux");
            return None;
        }
        let terminal = Terminal { socket: format!("mcp-{test}-{}", std::process::id()) };
        let output = terminal.tmux(&[
            "-f",
            "/dev/null",
            "new-session",
            "-d",
            "-x",
            "100",
            "-y",
            "40",
            "env",
            "-u",
            "TMUX",
            "PS1=$ ",
            "sh",
        ]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        terminal.wait_for("$");
        Some(terminal)
    }

    fn tmux(&self, arguments: &[&str]) -> Output {
        Command::new("tmux").args(["-L", &self.socket]).args(arguments).output().unwrap()
    }

    fn enter(&self, line: &str) {
        assert!(self.tmux(&["send-keys", "-l", line]).status.success());
        assert!(self.tmux(&["send-keys", "Enter"]).status.success());
    }

    fn screen(&self) -> String {
        String::from_utf8(self.tmux(&["capture-pane", "-p", "-J"]).stdout).unwrap()
    }

    /// Waits until the screen shows this.
    fn wait_for(&self, wanted: &str) -> String {
        let start = Instant::now();
        loop {
            let screen = self.screen();
            if screen.contains(wanted) {
                return screen;
            }
            assert!(start.elapsed() < LONG, "never {wanted:?}:\n{screen}");
            thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.tmux(&["kill-server"]);
    }
}

#[test]
fn on_a_terminal_a_server_says_what_it_is_and_ends() {
    let Some(terminal) = Terminal::open("bare") else {
        return;
    };
    terminal.enter(&format!("cd {} && ./calculator; echo status $?", example("").display()));
    let screen = terminal.wait_for("status 0");
    for part in [
        "calculator 0.0.0, an MCP server: 3 tools",
        "add a=INTEGER b=INTEGER",
        "claude mcp add calculator -- /",
        "./calculator --help",
    ] {
        assert!(screen.contains(part), "no {part}:\n{screen}");
    }
}

#[test]
fn on_a_terminal_serve_waits_and_answers() {
    let Some(terminal) = Terminal::open("serve") else {
        return;
    };
    terminal.enter(&format!("{} serve", example("calculator").display()));
    terminal.wait_for("waits for JSON-RPC messages");
    terminal.enter(r#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#);
    terminal.wait_for(r#"{"jsonrpc":"2.0","id":7,"result":{}}"#);
}

#[test]
fn a_tool_that_reports_progress_has_a_bar_that_goes_away() {
    let Some(terminal) = Terminal::open("bar") else {
        return;
    };
    terminal.enter(&format!("{} call boil seconds=4; echo status $?", example("progress").display()));
    let screen = terminal.wait_for("%");
    assert!(screen.contains("[####") || screen.contains("[---"), "{screen}");
    let screen = terminal.wait_for("status 0");
    assert!(screen.contains("boiled for 4 s") && !screen.contains('%'), "{screen}");
}
