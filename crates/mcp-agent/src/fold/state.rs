//! The state of a turn.

use crate::error::TurnFailure;
use crate::message::SessionState;

/// The state of the turn of a session.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum TurnState {
    /// There was no turn yet.
    #[default]
    Idle,
    /// The turn is running.
    Running,
    /// The turn waits for a decision of the user.
    Asking,
    /// The turn succeeded.
    Done,
    /// The turn failed. The session stays usable.
    Failed(TurnFailure),
    /// The session ended unexpectedly.
    Lost,
}

impl TurnState {
    /// Returns whether no turn is running.
    pub fn is_over(&self) -> bool {
        !matches!(self, Self::Running | Self::Asking)
    }

    pub(super) fn is_asking(&self) -> bool {
        matches!(self, Self::Asking)
    }

    /// Updates the state from a state message of the session. It does not replace the outcome of a turn, which the
    /// result reports more precisely.
    pub(super) fn session_is(&mut self, state: &SessionState) {
        match state {
            SessionState::RequiresAction => *self = Self::Asking,
            SessionState::Running if self.is_asking() => *self = Self::Running,
            _ => {}
        }
    }
}
