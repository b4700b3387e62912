//! Values of the server that tools borrow.

use std::any::{Any, TypeId, type_name};
use std::sync::Arc;

/// A type that a tool borrows, so that the server must have a value of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RequiredState {
    pub(crate) id: TypeId,
    /// `Arc` of the type. If the server has one of these instead, the error message says so.
    pub(crate) shared: TypeId,
    pub(crate) name: &'static str,
}

impl RequiredState {
    pub(crate) fn of<T: Any>() -> RequiredState {
        RequiredState { id: TypeId::of::<T>(), shared: TypeId::of::<Arc<T>>(), name: type_name::<T>() }
    }
}

/// A value that tools borrow.
pub(crate) type State = Arc<dyn Any + Send + Sync>;

/// Makes the value of a session.
pub(crate) type MakeState = Arc<dyn Fn() -> State + Send + Sync>;

/// Where the value of a type comes from.
#[derive(Clone)]
pub(crate) enum StateSource {
    /// One value, which all sessions share.
    Server(State),
    /// A value for each session.
    Session(MakeState),
}

/// The values that tools borrow, by type. A linear search: a server has only a few.
#[derive(Default)]
pub(crate) struct States(Vec<(TypeId, StateSource)>);

impl States {
    /// Adds a value. Returns `false` if there is already one of that type.
    pub(crate) fn add(&mut self, id: TypeId, source: StateSource) -> bool {
        let is_new = !self.has(id);
        if is_new {
            self.0.push((id, source));
        }
        is_new
    }

    pub(crate) fn has(&self, id: TypeId) -> bool {
        self.source(id).is_some()
    }

    pub(crate) fn source(&self, id: TypeId) -> Option<&StateSource> {
        self.0.iter().find(|(known, _)| *known == id).map(|(_, source)| source)
    }

    /// Returns whether there is a value of the type for each session.
    pub(crate) fn is_of_session(&self, id: TypeId) -> bool {
        matches!(self.source(id), Some(StateSource::Session(_)))
    }
}
