//! What tools borrow.

use std::any::{Any, TypeId, type_name};
use std::sync::Arc;

/// A type that must be given to the server because a tool borrows it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Needed {
    pub(crate) id: TypeId,
    /// The type in an `Arc`, which is another type but may have been given in its stead.
    pub(crate) shared: TypeId,
    pub(crate) name: &'static str,
}

impl Needed {
    pub(crate) fn of<T: Any>() -> Needed {
        Needed { id: TypeId::of::<T>(), shared: TypeId::of::<Arc<T>>(), name: type_name::<T>() }
    }
}

/// What they borrow, by its type: so few that they are looked through in less time than a hash takes.
#[derive(Default)]
pub(crate) struct States(Vec<(TypeId, Arc<dyn Any + Send + Sync>)>);

impl States {
    /// Adds a value; false if there is one of that type.
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
