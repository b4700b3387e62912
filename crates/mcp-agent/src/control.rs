//! The desk of control requests, without any I/O: ours that wait for an answer, the CLI's that wait for ours.

use std::collections::HashMap;

use crate::frame::RequestId;

/// Who waits for whom.
///
/// `W` is who waits for the answer to a request of ours, `C` is how to call off the work on a request of the CLI. Every
/// request of the CLI is answered exactly once: whoever takes its entry off the desk, by [`finish`](Self::finish) or
/// [`cancel`](Self::cancel), owns the answer; nobody else has it.
#[derive(Debug)]
pub(crate) struct Desk<W, C> {
    asked: HashMap<RequestId, W>,
    serving: HashMap<RequestId, C>,
    last: u64,
    closed: bool,
}

impl<W, C> Default for Desk<W, C> {
    fn default() -> Self {
        Self { asked: HashMap::new(), serving: HashMap::new(), last: 0, closed: false }
    }
}

impl<W, C> Desk<W, C> {
    /// Takes on a request of ours. A closed desk takes none, and gives the waiter back.
    pub(crate) fn ask(&mut self, waiter: W) -> Result<RequestId, W> {
        if self.closed {
            return Err(waiter);
        }
        self.last += 1;
        let id = RequestId::numbered(self.last);
        self.asked.insert(id.clone(), waiter);
        Ok(id)
    }

    /// Takes the waiter off when its answer has come, or when it no longer waits. `None` for a stray answer.
    pub(crate) fn settle(&mut self, id: &RequestId) -> Option<W> {
        self.asked.remove(id)
    }

    /// Takes on a request of the CLI; false when the desk is closed or the id is already being served.
    pub(crate) fn begin(&mut self, id: RequestId, work: impl FnOnce() -> C) -> bool {
        if self.closed || self.serving.contains_key(&id) {
            return false;
        }
        self.serving.insert(id, work());
        true
    }

    /// The work on a request of the CLI is done; true for who may answer.
    pub(crate) fn finish(&mut self, id: &RequestId) -> bool {
        self.serving.remove(id).is_some()
    }

    /// A request of the CLI is called off; the work to stop, for who must then answer.
    pub(crate) fn cancel(&mut self, id: &RequestId) -> Option<C> {
        self.serving.remove(id)
    }

    /// Closes the desk: all who wait and all work to stop.
    pub(crate) fn close(&mut self) -> (Vec<W>, Vec<C>) {
        self.closed = true;
        (self.asked.drain().map(|(_, waiter)| waiter).collect(), self.serving.drain().map(|(_, work)| work).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    type TestDesk = Desk<&'static str, &'static str>;

    #[test]
    fn an_answer_reaches_its_waiter_once() {
        let mut desk = TestDesk::default();
        let first = desk.ask("first").expect("open");
        let second = desk.ask("second").expect("open");
        assert_eq!(desk.settle(&second), Some("second"));
        assert_eq!(desk.settle(&second), None);
        assert_eq!(desk.settle(&first), Some("first"));
    }

    #[test]
    fn finishing_and_cancelling_exclude_each_other() {
        let mut desk = TestDesk::default();
        let id = RequestId::numbered(1);
        assert!(desk.begin(id.clone(), || "work"));
        assert!(!desk.begin(id.clone(), || "again"), "an id is served once at a time");
        assert_eq!(desk.cancel(&id), Some("work"));
        assert!(!desk.finish(&id));
        assert!(desk.begin(id.clone(), || "later"));
        assert!(desk.finish(&id));
        assert_eq!(desk.cancel(&id), None);
    }

    #[test]
    fn closing_gives_up_everything_and_takes_no_more() {
        let mut desk = TestDesk::default();
        desk.ask("waiter").expect("open");
        assert!(desk.begin(RequestId::numbered(9), || "work"));
        assert_eq!(desk.close(), (vec!["waiter"], vec!["work"]));
        assert_eq!(desk.ask("late"), Err("late"));
        assert!(!desk.begin(RequestId::numbered(10), || "late"));
    }

    proptest! {
        /// Whatever the order of events, each request is answered exactly once.
        #[test]
        fn every_request_is_answered_exactly_once(steps in prop::collection::vec((0..4_u64, any::<bool>()), 0..60)) {
            let mut desk = Desk::<(), ()>::default();
            let (mut begun, mut answered) = (0, 0);
            for (number, cancel) in steps {
                let id = RequestId::numbered(number);
                if desk.begin(id.clone(), || ()) {
                    begun += 1;
                } else if cancel {
                    answered += usize::from(desk.cancel(&id).is_some());
                } else {
                    answered += usize::from(desk.finish(&id));
                }
            }
            prop_assert_eq!(begun, answered + desk.close().1.len());
        }
    }
}
