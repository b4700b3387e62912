//! Requests that are being worked on, by id.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::jsonrpc::Id;

/// Requests in flight: id to handle.
///
/// A session keeps its running calls here to cancel them; a runner keeps its handlers.
pub struct InFlight<T: ?Sized>(Mutex<Handles<T>>);

struct Handles<T: ?Sized> {
    /// The one that came last. Most requests are answered before the next one comes, and never get into the table.
    latest: Option<(Id, Arc<T>)>,
    /// Hashed by keys that clients cannot guess: they choose the ids.
    earlier: HashMap<Id, Arc<T>>,
}

impl<T: ?Sized> InFlight<T> {
    /// Nothing in flight.
    pub fn new() -> InFlight<T> {
        InFlight(Mutex::new(Handles { latest: None, earlier: HashMap::default() }))
    }

    /// Takes note of a request; false if one of the same id is already in flight.
    pub fn insert(&self, id: &Id, handle: Arc<T>) -> bool {
        let mut handles = self.lock();
        if handles.is_latest(id) || handles.earlier.contains_key(id) {
            return false;
        }
        if let Some((id, handle)) = handles.latest.replace((id.clone(), handle)) {
            handles.earlier.insert(id, handle);
        }
        true
    }

    /// Forgets a request and gives back its handle.
    pub fn remove(&self, id: &Id) -> Option<Arc<T>> {
        let mut handles = self.lock();
        if handles.is_latest(id) { handles.latest.take().map(|(_, handle)| handle) } else { handles.earlier.remove(id) }
    }

    /// Forgets that very request, and not one that has taken its id since.
    ///
    /// An id is free again as soon as its request is cancelled, while what worked on it may still be about to end.
    pub fn forget(&self, id: &Id, handle: &Arc<T>) {
        let mut handles = self.lock();
        if handles.latest.as_ref().is_some_and(|(_, latest)| Arc::ptr_eq(latest, handle)) {
            handles.latest = None;
        } else if handles.earlier.get(id).is_some_and(|known| Arc::ptr_eq(known, handle)) {
            handles.earlier.remove(id);
        }
    }

    /// Forgets all requests and gives back their handles.
    pub fn drain(&self) -> Vec<Arc<T>> {
        let mut handles = self.lock();
        let latest = handles.latest.take();
        handles.earlier.drain().chain(latest).map(|(_, handle)| handle).collect()
    }

    /// How many are in flight.
    pub fn len(&self) -> usize {
        let handles = self.lock();
        handles.earlier.len() + usize::from(handles.latest.is_some())
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
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
        let handles = self.lock();
        f.debug_set().entries(handles.earlier.keys()).entries(handles.latest.iter().map(|(id, _)| id)).finish()
    }
}

impl<T: ?Sized> Handles<T> {
    fn is_latest(&self, id: &Id) -> bool {
        self.latest.as_ref().is_some_and(|(latest, _)| latest == id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_taken_until_its_request_is_forgotten_however_many_came_since() {
        let requests: InFlight<i64> = InFlight::new();
        for id in 0..3 {
            assert!(requests.insert(&id.into(), Arc::new(id)));
        }
        for id in 0..3 {
            assert!(!requests.insert(&id.into(), Arc::new(9)), "{id}");
            assert_eq!(requests.remove(&id.into()).as_deref(), Some(&id));
            assert_eq!(requests.remove(&id.into()), None);
        }
        assert!(requests.is_empty());
    }

    #[test]
    fn one_that_has_taken_the_id_of_another_is_not_forgotten_with_it() {
        let (requests, id) = (InFlight::new(), Id::from(1));
        let (first, second) = (Arc::new(1), Arc::new(2));
        assert!(requests.insert(&id, first.clone()));
        requests.remove(&id);
        assert!(requests.insert(&id, second.clone()));
        requests.forget(&id, &first);
        assert_eq!(requests.len(), 1);
        // Nor when it is no longer the latest.
        assert!(requests.insert(&2.into(), Arc::new(3)));
        requests.forget(&id, &first);
        assert_eq!(requests.len(), 2);
        requests.forget(&id, &second);
        assert_eq!(requests.drain().iter().map(|request| **request).collect::<Vec<_>>(), [3]);
    }
}
