//! How a turn is.

use crate::error::TurnFailure;
use crate::message::SessionState;

/// How the turn of a session is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum TurnState {
    /// There has been none.
    #[default]
    Idle,
    /// It runs.
    Running,
    /// It waits for somebody to decide.
    Asking,
    /// It ended well.
    Done,
    /// It failed. The session goes on.
    Failed(TurnFailure),
    /// The session ended where it should not have.
    Lost,
}

impl TurnState {
    /// Whether no turn runs.
    pub fn is_over(&self) -> bool {
        !matches!(self, Self::Running | Self::Asking)
    }

    pub(super) fn is_asking(&self) -> bool {
        matches!(self, Self::Asking)
    }

    /// The session says what it does. How a turn ended is known better from its result.
    pub(super) fn session_is(&mut self, state: &SessionState) {
        match state {
            SessionState::RequiresAction => *self = Self::Asking,
            SessionState::Running if self.is_asking() => *self = Self::Running,
            _ => {}
        }
    }
}
