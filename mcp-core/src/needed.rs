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
