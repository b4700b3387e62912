//! A real terminal: tmux. `tests/agents` uses this file too.

use std::process::{Command, Output};
use std::thread;
use std::time::{Duration, Instant};

/// Timeout of every wait: far more than any step takes.
const LONG: Duration = Duration::from_secs(120);

/// A terminal of 100 columns and 40 lines with a shell in it.
pub(crate) struct Terminal {
    socket: String,
}

impl Terminal {
    /// Returns `None` if there is no tmux. The check is then reported as skipped.
    pub(crate) fn open(test: &str) -> Option<Terminal> {
        if Command::new("tmux").arg("-V").output().is_err() {
            test_env::skip("tmux is not installed");
            return None;
        }
        let terminal = Terminal { socket: format!("mcp-{test}-{}", std::process::id()) };
        let size = ["-x", "100", "-y", "40"];
        // UTF-8 in every environment.
        let options = ["-u", "-f", "/dev/null", "new-session", "-d"];
        let shell = ["env", "-u", "TMUX", "LC_ALL=C.UTF-8", "PS1=$ ", "sh"];
        let output = terminal.tmux(&[&options[..], &size, &shell].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        terminal.wait_for("$");
        Some(terminal)
    }

    fn tmux(&self, arguments: &[&str]) -> Output {
        Command::new("tmux").args(["-L", &self.socket]).args(arguments).output().unwrap()
    }

    /// Types a line.
    pub(crate) fn enter(&self, line: &str) {
        self.keys(line);
        self.press("Enter");
    }

    /// Types text without a line break.
    pub(crate) fn keys(&self, text: &str) {
        assert!(self.tmux(&["send-keys", "-l", text]).status.success());
    }

    /// Presses a key. Its name is that of tmux.
    pub(crate) fn press(&self, key: &str) {
        assert!(self.tmux(&["send-keys", key]).status.success());
    }

    pub(crate) fn screen(&self) -> String {
        String::from_utf8(self.tmux(&["capture-pane", "-p", "-J"]).stdout).unwrap()
    }

    /// Waits until the screen shows this text. Returns the screen.
    pub(crate) fn wait_for(&self, wanted: &str) -> String {
        self.wait_until(wanted, |screen| screen.contains(wanted))
    }

    /// Waits until the condition holds. Returns the screen.
    pub(crate) fn wait_until(&self, wanted: &str, is_so: impl Fn(&str) -> bool) -> String {
        let start = Instant::now();
        loop {
            let screen = self.screen();
            if is_so(&screen) {
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
