//! Talks to an example server over stdio, as a child process.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use crate::built_examples::{TEST_TIMEOUT, example};

/// A server that runs in a child process.
pub(crate) struct ChildServer {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl ChildServer {
    pub(crate) fn start(example_name: &str) -> ChildServer {
        let mut child = Command::new(example(example_name))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the example starts");
        let (sender, lines) = channel();
        let stdout = BufReader::new(child.stdout.take().expect("piped"));
        thread::spawn(move || {
            for line in stdout.lines() {
                if sender.send(line.expect("a server writes UTF-8")).is_err() {
                    break;
                }
            }
        });
        ChildServer { stdin: child.stdin.take(), child, lines }
    }

    pub(crate) fn send(&mut self, line: &str) {
        writeln!(self.stdin.as_mut().expect("open"), "{line}").expect("the server reads");
    }

    pub(crate) fn receive(&self) -> String {
        self.lines.recv_timeout(TEST_TIMEOUT).expect("the server answers")
    }

    /// Closes its stdin and returns its exit code.
    pub(crate) fn end(mut self) -> Option<i32> {
        drop(self.stdin.take());
        self.child.wait().expect("it was started").code()
    }
}
