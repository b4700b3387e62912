//! A server process.

use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{ChildStdin, Command, Stdio};
use std::sync::mpsc::Sender;
use std::thread;

use super::Happening;

/// A server process, with a thread that listens to it. It ends when its input does.
#[derive(Debug)]
pub(super) struct Child {
    number: u64,
    input: ChildStdin,
}

impl Child {
    pub(super) fn start(program: &Path, arguments: &[String], number: u64, sender: Sender<Happening>) -> io::Result<Child> {
        let mut command = Command::new(program);
        let mut process = command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let (Some(input), Some(output)) = (process.stdin.take(), process.stdout.take()) else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(Happening::Server(number, line)).is_err() {
                    break;
                }
            }
            // Whoever closes its output is of no more use, and must not stay as a zombie.
            let _ = process.wait();
            let _ = sender.send(Happening::ServerGone(number));
        });
        Ok(Child { number, input })
    }

    pub(super) fn number(&self) -> u64 {
        self.number
    }

    pub(super) fn send(&mut self, line: &str) {
        // One that does not read any more is gone, and its thread says so.
        let _ = writeln!(self.input, "{line}");
    }

    /// Closes its input: it answers what is left, and ends.
    pub(super) fn retire(self) {
        drop(self.input);
    }
}
