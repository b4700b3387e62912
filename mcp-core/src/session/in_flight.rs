//! The running calls of a session, by request id.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::jsonrpc::Id;

/// The requests of a session that have no response yet, each with a handle to cancel it.
///
/// Clients choose the ids, so the table uses the standard library's randomly keyed hasher.
pub(crate) struct InFlight<T>(Mutex<HashMap<Id, Arc<T>>>);

impl<T> InFlight<T> {
    /// Creates an empty table.
    pub(crate) fn new() -> InFlight<T> {
        InFlight(Mutex::default())
    }

    /// Adds a request. Returns `false` if a request with the same id is already in flight.
    pub(crate) fn insert(&self, id: &Id, handle: Arc<T>) -> bool {
        match self.lock().entry(id.clone()) {
            Entry::Occupied(_) => false,
            Entry::Vacant(entry) => {
                entry.insert(handle);
                true
            }
        }
    }

    /// Removes the request with this id and returns its handle.
    pub(crate) fn remove(&self, id: &Id) -> Option<Arc<T>> {
        self.lock().remove(id)
    }

    /// Removes the request with this id, but only if it is the one of `handle`.
    ///
    /// An id may be used again as soon as its request is cancelled. The cancelled call may end later than that, and must not
    /// remove the new request.
    pub(crate) fn forget(&self, id: &Id, handle: &Arc<T>) {
        let mut handles = self.lock();
        if handles.get(id).is_some_and(|known| Arc::ptr_eq(known, handle)) {
            handles.remove(id);
        }
    }

    /// Removes all requests and returns their handles.
    pub(crate) fn drain(&self) -> Vec<Arc<T>> {
        self.lock().drain().map(|(_, handle)| handle).collect()
    }

    /// Returns the number of requests in flight.
    pub(crate) fn len(&self) -> usize {
        self.lock().len()
    }

    /// Locks the content. No code panics while it holds the lock, so the content of a poisoned lock is still consistent.
    fn lock(&self) -> MutexGuard<'_, HashMap<Id, Arc<T>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> fmt::Debug for InFlight<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.lock().keys()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_in_use_until_its_request_is_removed() {
        let requests: InFlight<i64> = InFlight::new();
        for id in 0..3 {
            assert!(requests.insert(&id.into(), Arc::new(id)));
        }
        for id in 0..3 {
            assert!(!requests.insert(&id.into(), Arc::new(9)), "{id}");
            assert_eq!(requests.remove(&id.into()).as_deref(), Some(&id));
            assert_eq!(requests.remove(&id.into()), None);
        }
        assert_eq!(requests.len(), 0);
    }

    #[test]
    fn forgetting_a_cancelled_request_keeps_a_new_one_with_the_same_id() {
        let (requests, id) = (InFlight::new(), Id::from(1));
        let (first, second) = (Arc::new(1), Arc::new(2));
        assert!(requests.insert(&id, first.clone()));
        requests.remove(&id);
        assert!(requests.insert(&id, second.clone()));
        requests.forget(&id, &first);
        assert_eq!(requests.len(), 1);
        assert!(requests.insert(&2.into(), Arc::new(3)));
        requests.forget(&id, &second);
        assert_eq!(requests.drain().iter().map(|request| **request).collect::<Vec<_>>(), [3]);
    }
}
