//! Named places where a scripted turn waits for the test.

use std::fmt;
use std::sync::Arc;

use tokio::sync::watch;

/// A place in a scripted turn where the model waits until the test says go.
///
/// A gate replaces the sleep that such tests usually hold: [`reached`](Gate::reached) returns when a turn stands at the
/// gate, so the test then knows that the request is in flight, and [`open`](Gate::open) lets it through. Gates are made by
/// [`Model::gate`](crate::Model::gate) and named in turns by [`Turn::hold`](crate::Turn::hold) and
/// [`Turn::stall`](crate::Turn::stall). An open gate stays open.
#[derive(Clone)]
pub struct Gate {
    name: Arc<str>,
    state: Arc<watch::Sender<State>>,
}

#[derive(Clone, Copy, Default)]
struct State {
    arrived: usize,
    open: bool,
}

impl Gate {
    pub(crate) fn new(name: &str) -> Self {
        Self { name: name.into(), state: Arc::new(watch::Sender::new(State::default())) }
    }

    /// The name by which turns refer to this gate.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Lets every turn through, those that wait now and those that come later.
    pub fn open(&self) {
        self.state.send_modify(|state| state.open = true);
    }

    /// Waits until a turn has come to this gate.
    ///
    /// Also true afterwards: a turn that has passed, or whose client hung up, has been here.
    pub async fn reached(&self) {
        self.reached_times(1).await;
    }

    /// Waits until `times` turns have come to this gate.
    pub async fn reached_times(&self, times: usize) {
        self.wait(|state| state.arrived >= times).await;
    }

    pub(crate) async fn pass(&self) {
        self.state.send_modify(|state| state.arrived += 1);
        self.wait(|state| state.open).await;
    }

    async fn wait(&self, ready: impl FnMut(&State) -> bool) {
        let mut states = self.state.subscribe();
        // `wait_for` fails only when the sender is gone, and `self` keeps it.
        let _ = states.wait_for(ready).await;
    }
}

impl fmt::Debug for Gate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = *self.state.borrow();
        f.debug_struct("Gate").field("name", &self.name).field("arrived", &state.arrived).field("open", &state.open).finish()
    }
}

impl From<&Gate> for String {
    fn from(gate: &Gate) -> Self {
        gate.name.as_ref().into()
    }
}
