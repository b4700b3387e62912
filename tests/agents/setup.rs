//! The set-up of these tests: the real CLI, a mock model, a sandbox, and programs that run in it.

use std::io::{Read as _, Write as _};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use mcp_agent_test::{Cli, Model, Sandbox};
use test_env::{Missing, needs};

use crate::built_examples::{TEST_TIMEOUT, example};

/// The real CLI, a mock model, and a sandbox.
pub(crate) struct Setup {
    pub(crate) cli: Cli,
    pub(crate) model: Model,
    pub(crate) sandbox: Sandbox,
}

impl Setup {
    /// Returns `None` if the CLI cannot be installed. The check was then reported as skipped.
    pub(crate) fn or_skip() -> Option<Setup> {
        Some(Setup {
            cli: needs(Cli::pinned().map_err(|error| Missing::new("Claude Code CLI", error)))?,
            model: Model::start().expect("a port"),
            sandbox: Sandbox::new().expect("a folder"),
        })
    }

    /// Returns a command that runs an example inside the sandbox.
    pub(crate) fn command(&self, example_name: &str) -> Command {
        let mut command = Command::new(example(example_name));
        self.sandbox.apply(&mut command, &self.model).env("CLAUDE_BIN", self.cli.path());
        command
    }
}

/// A program whose stdin and stdout are pipes.
pub(crate) struct PipedProgram {
    child: Child,
    output: Receiver<String>,
    shown: String,
}

impl PipedProgram {
    pub(crate) fn run(command: &mut Command) -> PipedProgram {
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
        PipedProgram { child, output, shown: String::new() }
    }

    /// Reads output until it contains `text`; returns all output so far.
    pub(crate) fn wait_for(&mut self, text: &str) -> &str {
        self.wait_for_times(text, 1)
    }

    /// Reads output until it contains `text` this many times; returns all output so far.
    pub(crate) fn wait_for_times(&mut self, text: &str, times: usize) -> &str {
        while self.shown.matches(text).count() < times {
            let more = self.output.recv_timeout(TEST_TIMEOUT);
            self.shown += &more.unwrap_or_else(|_| panic!("no {text:?} in {:?}", self.shown));
        }
        &self.shown
    }

    pub(crate) fn type_line(&mut self, line: &str) {
        writeln!(self.child.stdin.as_mut().expect("piped"), "{line}").expect("the example reads");
    }

    /// Sends SIGINT, as a terminal does on Ctrl-C.
    pub(crate) fn ctrl_c(&self) {
        let pressed = Command::new("kill").args(["-INT", &self.child.id().to_string()]).status();
        assert!(pressed.expect("kill runs").success());
    }

    /// Closes stdin and reads to the end. Returns the exit code and all output.
    pub(crate) fn end(mut self) -> (Option<i32>, String) {
        drop(self.child.stdin.take());
        while let Ok(more) = self.output.recv_timeout(TEST_TIMEOUT) {
            self.shown += &more;
        }
        (self.child.wait().expect("it was started").code(), std::mem::take(&mut self.shown))
    }
}

impl Drop for PipedProgram {
    fn drop(&mut self) {
        // Matters only after a failed test: otherwise the process has already exited.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
