//! The user's input: typed lines, Ctrl-C, and requests that wait for an answer.

use std::io::{self, BufRead as _, IsTerminal as _, stdin};

use mcp_agent::{Ask, Decision};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::{mpsc, oneshot};

/// A permission request of the CLI, and where its answer goes.
pub(crate) type Question = (Ask, oneshot::Sender<Decision>);

/// The user's input: typed lines, Ctrl-C, and requests that wait for an answer.
pub(crate) struct User {
    pub(crate) lines: mpsc::UnboundedReceiver<String>,
    /// Receives Ctrl-C, including presses that arrive while no code is waiting for them.
    pub(crate) presses: Signal,
    pub(crate) questions: mpsc::UnboundedReceiver<Question>,
}

impl User {
    pub(crate) fn new(questions: mpsc::UnboundedReceiver<Question>) -> io::Result<User> {
        let (typed, lines) = mpsc::unbounded_channel();
        std::thread::spawn(move || stdin().lock().lines().map_while(Result::ok).try_for_each(|line| typed.send(line)));
        let presses = signal(SignalKind::interrupt())?;
        Ok(User { lines, presses, questions })
    }

    /// Discards lines that were typed before the question was shown. If the input is not a terminal, all lines are kept.
    pub(crate) fn forget_lines(&mut self) {
        while stdin().is_terminal() && self.lines.try_recv().is_ok() {}
    }
}
