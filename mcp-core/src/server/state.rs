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

/// The values that tools borrow, by type. A linear search: a server has only a few.
#[derive(Default)]
pub(crate) struct States(Vec<(TypeId, Arc<dyn Any + Send + Sync>)>);

impl States {
    /// Adds a value. Returns `false` if there is already one of that type.
    pub(crate) fn add(&mut self, id: TypeId, state: Arc<dyn Any + Send + Sync>) -> bool {
        let is_new = !self.has(id);
        if is_new {
            self.0.push((id, state));
        }
        is_new
    }

    pub(crate) fn has(&self, id: TypeId) -> bool {
        self.get(id).is_some()
    }

    pub(crate) fn get(&self, id: TypeId) -> Option<&Arc<dyn Any + Send + Sync>> {
        self.0.iter().find(|(known, _)| *known == id).map(|(_, state)| state)
    }
}
