//! Requests that are being worked on, by id.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ahash::RandomState;

use crate::jsonrpc::Id;

/// Requests in flight: id to handle.
///
/// A session keeps its running calls here to cancel them; a runner keeps its handlers.
pub struct InFlight<T: ?Sized>(Mutex<Handles<T>>);

/// Hashed by keys that clients cannot guess: they choose the ids.
type Handles<T> = HashMap<Id, Arc<T>, RandomState>;

impl<T: ?Sized> InFlight<T> {
    /// Nothing in flight.
    pub fn new() -> InFlight<T> {
        InFlight(Mutex::default())
    }

    /// Takes note of a request; false if one of the same id is already in flight.
    pub fn insert(&self, id: &Id, handle: Arc<T>) -> bool {
        match self.lock().entry(id.clone()) {
            Entry::Occupied(_) => false,
            Entry::Vacant(place) => {
                place.insert(handle);
                true
            }
        }
    }

    /// Forgets a request and gives back its handle.
    pub fn remove(&self, id: &Id) -> Option<Arc<T>> {
        self.lock().remove(id)
    }

    /// Forgets that very request, and not one that has taken its id since.
    ///
    /// An id is free again as soon as its request is cancelled, while what worked on it may still be about to end.
    pub fn forget(&self, id: &Id, handle: &Arc<T>) {
        if let Entry::Occupied(place) = self.lock().entry(id.clone())
            && Arc::ptr_eq(place.get(), handle)
        {
            place.remove();
        }
    }

    /// Forgets all requests and gives back their handles.
    pub fn drain(&self) -> Vec<Arc<T>> {
        self.lock().drain().map(|(_, handle)| handle).collect()
    }

    /// How many are in flight.
    pub fn len(&self) -> usize {
        self.lock().len()
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.lock().is_empty()
    }

    /// Nothing panics while the lock is held, so a poisoned one is as good as new.
    fn lock(&self) -> MutexGuard<'_, Handles<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: ?Sized> Default for InFlight<T> {
    fn default() -> Self {
        InFlight::new()
    }
}

impl<T: ?Sized> fmt::Debug for InFlight<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.lock().keys()).finish()
    }
}
