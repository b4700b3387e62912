//! The real CLI, a model, a place for both, and programs that run there.

use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use mcp_agent_test::{Cli, Model, Sandbox};

/// Long enough for a loaded machine; a test that waits this long has failed.
pub(crate) const PATIENCE: Duration = Duration::from_secs(120);

/// What a test with the real CLI needs.
pub(crate) struct Stage {
    pub(crate) cli: Cli,
    pub(crate) model: Model,
    pub(crate) sandbox: Sandbox,
}

impl Stage {
    /// None where there is no CLI; the test then returns.
    pub(crate) fn or_skip() -> Option<Stage> {
        Some(Stage {
            cli: Cli::or_skip()?,
            model: Model::start().expect("a port"),
            sandbox: Sandbox::new().expect("a folder"),
        })
    }

    /// An example in the sandbox.
    pub(crate) fn command(&self, example_name: &str) -> Command {
        let mut command = Command::new(example(example_name));
        self.sandbox.apply(&mut command, &self.model).env("CLAUDE_BIN", self.cli.path());
        command
    }
}

/// The built example of that name.
fn example(name: &str) -> PathBuf {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    let folder = BUILT.get_or_init(|| {
        // This test binary is target/PROFILE/deps/agents-HASH.
        let this = std::env::current_exe().expect("a test knows its own path");
        let profile = this.parent().and_then(Path::parent).expect("target/PROFILE/deps");
        let mut build = Command::new(env!("CARGO"));
        build.args([
            "build",
            "--quiet",
            "--package",
            env!("CARGO_PKG_NAME"),
            "--example",
            "terminal",
            "--example",
            "browser",
        ]);
        if profile.ends_with("release") {
            build.arg("--release");
        }
        assert!(build.status().expect("cargo runs").success(), "the examples do not build");
        profile.join("examples")
    });
    folder.join(name)
}

/// A program, what it has said, and a hand at the keyboard.
pub(crate) struct Terminal {
    child: Child,
    output: Receiver<String>,
    shown: String,
}

impl Terminal {
    pub(crate) fn run(command: &mut Command) -> Terminal {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the example starts");
        let mut stdout = child.stdout.take().expect("piped");
        let (sender, output) = channel();
        thread::spawn(move || {
            let mut chunk = [0; 4096];
            while let Ok(read @ 1..) = stdout.read(&mut chunk) {
                if sender.send(String::from_utf8_lossy(&chunk[..read]).into_owned()).is_err() {
                    break;
                }
            }
        });
        Terminal { child, output, shown: String::new() }
    }

    /// Reads until this is on the screen.
    pub(crate) fn wait_for(&mut self, text: &str) -> &str {
        self.wait_for_times(text, 1)
    }

    /// Reads until this is on the screen so many times.
    pub(crate) fn wait_for_times(&mut self, text: &str, times: usize) -> &str {
        while self.shown.matches(text).count() < times {
            let more = self.output.recv_timeout(PATIENCE);
            self.shown += &more.unwrap_or_else(|_| panic!("no {text:?} in {:?}", self.shown));
        }
        &self.shown
    }

    pub(crate) fn type_line(&mut self, line: &str) {
        writeln!(self.child.stdin.as_mut().expect("piped"), "{line}").expect("the example reads");
    }

    /// Presses Ctrl-C, as far as the program can tell.
    pub(crate) fn ctrl_c(&self) {
        let pressed = Command::new("kill").args(["-INT", &self.child.id().to_string()]).status();
        assert!(pressed.expect("kill runs").success());
    }

    /// Reads to the end; the exit code and all that was shown.
    pub(crate) fn end(mut self) -> (Option<i32>, String) {
        drop(self.child.stdin.take());
        while let Ok(more) = self.output.recv_timeout(PATIENCE) {
            self.shown += &more;
        }
        (self.child.wait().expect("it was started").code(), std::mem::take(&mut self.shown))
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // Of a test that failed; one that ended has no process any more.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
