//! Named places where a scripted turn waits for the test.

use std::fmt;
use std::sync::Arc;

use tokio::sync::watch;

/// A place in a scripted turn where the model waits until the test says go.
///
/// A gate replaces the sleep that such tests usually pause_before: [`reached`](PausePoint::reached) returns when a turn stands at the
/// gate, so the test then knows that the request is in flight, and [`release`](PausePoint::release) lets it through. Gates are made by
/// [`Model::pause_point`](crate::Model::pause_point) and named in turns by [`Turn::pause_before`](crate::Turn::pause_before) and
/// [`Turn::pause_midway`](crate::Turn::pause_midway). An open gate stays open.
#[derive(Clone)]
pub struct PausePoint {
    name: Arc<str>,
    state: Arc<watch::Sender<State>>,
}

#[derive(Clone, Copy, Default)]
struct State {
    arrived: usize,
    open: bool,
}

impl PausePoint {
    pub(crate) fn new(name: &str) -> Self {
        Self { name: name.into(), state: Arc::new(watch::Sender::new(State::default())) }
    }

    /// The name by which turns refer to this pause.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Lets every turn through, those that wait now and those that come later.
    pub fn release(&self) {
        self.state.send_modify(|state| state.open = true);
    }

    /// Waits until a turn has come to this pause.
    ///
    /// Also true afterwards: a turn that has passed, or whose client hung up, has been here.
    pub async fn reached(&self) {
        self.reached_times(1).await;
    }

    /// Waits until `times` turns have come to this pause.
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

impl fmt::Debug for PausePoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = *self.state.borrow();
        f.debug_struct("PausePoint")
            .field("name", &self.name)
            .field("arrived", &state.arrived)
            .field("open", &state.open)
            .finish()
    }
}

impl From<&PausePoint> for String {
    fn from(pause: &PausePoint) -> Self {
        pause.name.as_ref().into()
    }
}
