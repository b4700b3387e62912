//! What the stand-in remembers: queued turns, pause_points, and the requests it saw.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use super::pause_point::PausePoint;
use super::prompt::{PromptScript, script_turn};
use super::request::Request;
use super::turn::Turn;

/// The state that the server and the test share.
#[derive(Debug)]
pub(crate) struct ModelState {
    pub(crate) port: u16,
    state: Mutex<State>,
    changes: watch::Sender<()>,
}

#[derive(Debug, Default)]
struct State {
    queue: VecDeque<Turn>,
    pause_points: HashMap<String, PausePoint>,
    requests: Vec<Request>,
}

impl ModelState {
    pub(crate) fn new(port: u16) -> Self {
        Self { port, state: Mutex::default(), changes: watch::Sender::new(()) }
    }

    /// Keeps the request and gives its number.
    pub(crate) fn record(&self, request: Request) -> usize {
        let number = {
            let mut state = self.state();
            state.requests.push(request);
            state.requests.len()
        };
        self.changed();
        number
    }

    pub(crate) fn requests(&self) -> Vec<Request> {
        self.state().requests.clone()
    }

    pub(crate) fn push(&self, turn: Turn) {
        self.state().queue.push_back(turn);
    }

    pub(crate) fn queued(&self) -> usize {
        self.state().queue.len()
    }

    /// The turn that answers a request: its own script's, else the queue's, else a plain "ok".
    pub(crate) fn take(&self, request: &Request) -> Turn {
        match script_turn(request.messages()) {
            PromptScript::Turn(Some(turn)) => *turn,
            PromptScript::Turn(None) => Turn::text("ok"),
            PromptScript::Broken(why) => Turn::text(format!("[stand-in: the script in the prompt is broken: {why}]")),
            PromptScript::Nothing => self.state().queue.pop_front().unwrap_or_else(|| Turn::text("ok")),
        }
    }

    pub(crate) fn pause_point(&self, name: &str) -> PausePoint {
        let mut state = self.state();
        state.pause_points.entry(name.to_owned()).or_insert_with(|| PausePoint::new(name)).clone()
    }

    pub(crate) fn changed(&self) {
        self.changes.send_replace(());
    }

    /// Waits until the requests are as the caller wants them.
    pub(crate) async fn until(&self, mut ready: impl FnMut(&[Request]) -> bool) {
        let mut changes = self.changes.subscribe();
        while !ready(&self.state().requests) {
            // Fails only when the sender is gone, and `self` keeps it.
            let _ = changes.changed().await;
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
