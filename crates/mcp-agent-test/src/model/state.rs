//! State of the mock model: queued turns, pause points and recorded requests.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use super::pause_point::PausePoint;
use super::prompt::{PromptScript, script_turn};
use super::request::Request;
use super::turn::Turn;

/// State shared by the HTTP server and the test.
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

    /// Records a request and returns its number.
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

    /// Returns the turn that answers a request: from the script in its prompt, else from the queue, else the text "ok".
    pub(crate) fn take(&self, request: &Request) -> Turn {
        match script_turn(request.messages()) {
            PromptScript::Turn(Some(turn)) => *turn,
            PromptScript::Turn(None) => Turn::text("ok"),
            PromptScript::Invalid(why) => Turn::text(format!("[mock model: invalid script in the prompt: {why}]")),
            PromptScript::Missing => self.state().queue.pop_front().unwrap_or_else(|| Turn::text("ok")),
        }
    }

    pub(crate) fn pause_point(&self, name: &str) -> PausePoint {
        let mut state = self.state();
        state.pause_points.entry(name.to_owned()).or_insert_with(|| PausePoint::new(name)).clone()
    }

    pub(crate) fn changed(&self) {
        self.changes.send_replace(());
    }

    /// Waits until `ready` returns true for the recorded requests.
    pub(crate) async fn until(&self, mut ready: impl FnMut(&[Request]) -> bool) {
        let mut changes = self.changes.subscribe();
        while !ready(&self.state().requests) {
            // Fails only if the sender is dropped, and `self` owns the sender.
            let _ = changes.changed().await;
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
