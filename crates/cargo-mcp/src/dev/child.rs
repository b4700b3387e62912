//! A server process.

use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{ChildStdin, Command, Stdio};
use std::sync::mpsc::Sender;
use std::thread;

use super::Event;
use super::running_copy::RunningCopy;

/// A server process, with a thread that reads its output. The process ends when its input is closed.
#[derive(Debug)]
pub(super) struct Child {
    number: u64,
    input: ChildStdin,
}

impl Child {
    pub(super) fn start(program: &Path, arguments: &[String], number: u64, sender: Sender<Event>) -> io::Result<Child> {
        let copy = RunningCopy::of(program, number)?;
        let mut command = Command::new(copy.program());
        let mut process = command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let (Some(input), Some(output)) = (process.stdin.take(), process.stdout.take()) else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(Event::Server(number, line)).is_err() {
                    break;
                }
            }
            // The process has closed its output, so it cannot serve any more. Waiting for it prevents a zombie process.
            let _ = process.wait();
            drop(copy);
            let _ = sender.send(Event::ServerGone(number));
        });
        Ok(Child { number, input })
    }

    pub(super) fn number(&self) -> u64 {
        self.number
    }

    pub(super) fn send(&mut self, line: &str) {
        // If the process is gone, the thread above sends `ServerGone`.
        let _ = writeln!(self.input, "{line}");
    }

    /// Closes the input: the process finishes its pending requests and ends.
    pub(super) fn close_input(self) {
        drop(self.input);
    }
}
