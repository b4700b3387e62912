//! The values of one session that tools borrow.

use std::any::TypeId;
use std::mem;
use std::sync::{Mutex, PoisonError};

use crate::server::state::{MakeState, State};

/// The values that were made for a session, by type.
#[derive(Default)]
pub(crate) struct SessionValues(Mutex<Vec<(TypeId, State)>>);

impl SessionValues {
    /// Returns the value of a type. Makes it on first use, once for all concurrent calls.
    pub(crate) fn get_or_make(&self, id: TypeId, make: &MakeState) -> State {
        let mut values = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, value)) = values.iter().find(|(known, _)| *known == id) {
            return value.clone();
        }
        let value = make();
        values.push((id, value.clone()));
        value
    }

    /// Drops all values. Those that calls still borrow are dropped when the calls have ended.
    pub(crate) fn clear(&self) {
        let values = mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        // The code of the author runs without the lock.
        drop(values);
    }
}
