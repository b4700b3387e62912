//! Named points at which a scripted turn waits for the test.

use std::fmt;
use std::sync::Arc;

use tokio::sync::watch;

/// A point in a scripted turn at which the model waits until the test calls [`release`](Self::release).
///
/// It makes sleeps in tests unnecessary. [`reached`](Self::reached) returns when a turn waits at the pause point, so the
/// test knows that the request is in flight. [`Model::pause_point`](crate::Model::pause_point) creates pause points;
/// [`Turn::pause_before`](crate::Turn::pause_before) and [`Turn::pause_midway`](crate::Turn::pause_midway) refer to them by
/// name. After `release`, later turns do not wait at this pause point.
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

    /// Returns the name by which turns refer to this pause point.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Lets all turns continue: those that wait now and all later ones.
    pub fn release(&self) {
        self.state.send_modify(|state| state.open = true);
    }

    /// Waits until a turn has reached this pause point.
    ///
    /// It also returns if that turn has continued since, or if its client has disconnected.
    pub async fn reached(&self) {
        self.reached_times(1).await;
    }

    /// Waits until `times` turns have reached this pause point.
    pub async fn reached_times(&self, times: usize) {
        self.wait(|state| state.arrived >= times).await;
    }

    pub(crate) async fn pass(&self) {
        self.state.send_modify(|state| state.arrived += 1);
        self.wait(|state| state.open).await;
    }

    async fn wait(&self, ready: impl FnMut(&State) -> bool) {
        let mut states = self.state.subscribe();
        // `wait_for` fails only if the sender is dropped, and `self` owns the sender.
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
