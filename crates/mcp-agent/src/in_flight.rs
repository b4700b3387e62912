//! The table of control requests in flight, in both directions. Does no I/O.

use std::collections::HashMap;

use crate::frame::RequestId;

/// Control requests in flight: those sent to the CLI, and those received from it.
///
/// `W` is the waiter for the response to a request that was sent. `C` cancels the work on a request that was received.
/// Every received request must be answered exactly once: the caller that removes its entry, with
/// [`finish`](Self::finish) or [`cancel`](Self::cancel), must send the response. No other caller may send it.
#[derive(Debug)]
pub struct InFlight<W, C> {
    asked: HashMap<RequestId, W>,
    serving: HashMap<RequestId, C>,
    last: u64,
    closed: bool,
}

impl<W, C> Default for InFlight<W, C> {
    fn default() -> Self {
        Self { asked: HashMap::new(), serving: HashMap::new(), last: 0, closed: false }
    }
}

impl<W, C> InFlight<W, C> {
    /// Adds a request to be sent and returns its id. Returns the waiter as the error if the table is closed.
    pub fn add_sent(&mut self, waiter: W) -> Result<RequestId, W> {
        if self.closed {
            return Err(waiter);
        }
        self.last += 1;
        let id = RequestId::numbered(self.last);
        self.asked.insert(id.clone(), waiter);
        Ok(id)
    }

    /// Removes the waiter of a sent request, because its response has arrived or because it was cancelled. Returns
    /// `None` if the id is unknown.
    pub fn take_sent(&mut self, id: &RequestId) -> Option<W> {
        self.asked.remove(id)
    }

    /// Adds a received request and starts its work. Returns false if the table is closed or the id is already in
    /// flight.
    pub fn add_received(&mut self, id: RequestId, work: impl FnOnce() -> C) -> bool {
        if self.closed || self.serving.contains_key(&id) {
            return false;
        }
        self.serving.insert(id, work());
        true
    }

    /// Returns whether a received request is in flight.
    pub fn is_received(&self, id: &RequestId) -> bool {
        self.serving.contains_key(id)
    }

    /// Removes a received request whose work is done. Returns true if the caller must send the response.
    pub fn finish(&mut self, id: &RequestId) -> bool {
        self.serving.remove(id).is_some()
    }

    /// Removes a received request that the CLI has cancelled. The caller must stop the returned work and send the
    /// response.
    pub fn cancel(&mut self, id: &RequestId) -> Option<C> {
        self.serving.remove(id)
    }

    /// Closes the table. Returns all waiters, and all work to stop.
    pub fn close(&mut self) -> (Vec<W>, Vec<C>) {
        self.closed = true;
        (self.asked.drain().map(|(_, waiter)| waiter).collect(), self.serving.drain().map(|(_, work)| work).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    type TestTable = InFlight<&'static str, &'static str>;

    #[test]
    fn a_response_reaches_its_waiter_once() {
        let mut in_flight = TestTable::default();
        let first = in_flight.add_sent("first").expect("open");
        let second = in_flight.add_sent("second").expect("open");
        assert_eq!(in_flight.take_sent(&second), Some("second"));
        assert_eq!(in_flight.take_sent(&second), None);
        assert_eq!(in_flight.take_sent(&first), Some("first"));
    }

    #[test]
    fn finishing_and_cancelling_exclude_each_other() {
        let mut in_flight = TestTable::default();
        let id = RequestId::numbered(1);
        assert!(in_flight.add_received(id.clone(), || "work"));
        assert!(!in_flight.add_received(id.clone(), || "again"), "duplicate id");
        assert_eq!(in_flight.cancel(&id), Some("work"));
        assert!(!in_flight.finish(&id));
        assert!(in_flight.add_received(id.clone(), || "later"));
        assert!(in_flight.finish(&id));
        assert_eq!(in_flight.cancel(&id), None);
    }

    #[test]
    fn a_closed_table_is_empty_and_rejects_new_requests() {
        let mut in_flight = TestTable::default();
        in_flight.add_sent("waiter").expect("open");
        assert!(in_flight.add_received(RequestId::numbered(9), || "work"));
        assert_eq!(in_flight.close(), (vec!["waiter"], vec!["work"]));
        assert_eq!(in_flight.add_sent("late"), Err("late"));
        assert!(!in_flight.add_received(RequestId::numbered(10), || "late"));
    }

    proptest! {
        /// For any order of events, each request is answered exactly once.
        #[test]
        fn every_request_is_answered_exactly_once(steps in prop::collection::vec((0..4_u64, any::<bool>()), 0..60)) {
            let mut in_flight = InFlight::<(), ()>::default();
            let (mut begun, mut answered) = (0, 0);
            for (number, cancel) in steps {
                let id = RequestId::numbered(number);
                if in_flight.add_received(id.clone(), || ()) {
                    begun += 1;
                } else if cancel {
                    answered += usize::from(in_flight.cancel(&id).is_some());
                } else {
                    answered += usize::from(in_flight.finish(&id));
                }
            }
            prop_assert_eq!(begun, answered + in_flight.close().1.len());
        }
    }
}
