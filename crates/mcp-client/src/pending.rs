//! The requests that wait for a response.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;
use serde_json::value::RawValue;
use tokio::sync::oneshot;

use crate::call::Progress;
use crate::transport::Failure;

/// Receives the progress of a request.
pub(crate) type OnProgress = Arc<dyn Fn(Progress) + Send + Sync>;

/// Receives the filter that the server acknowledged for a subscription.
pub(crate) type OnAcknowledged = Arc<dyn Fn(Value) + Send + Sync>;

/// The response to a request.
pub(crate) type Answered = Result<Box<RawValue>, Failure>;

/// The requests of one connection that wait for a response, by id.
///
/// Ids are never reused, so a late or duplicate response has no entry and is dropped.
#[derive(Debug, Default)]
pub(crate) struct Pending(Mutex<Table>);

#[derive(Debug, Default)]
struct Table {
    entries: HashMap<u64, Entry>,
    /// The reason why the connection was lost, if it was.
    lost: Option<String>,
}

struct Entry {
    answer: oneshot::Sender<Answered>,
    /// Whether the request was handed to the transport, so that the server may have begun it.
    begun: bool,
    progress: Option<OnProgress>,
    acknowledged: Option<OnAcknowledged>,
}

impl Pending {
    /// Adds a request. Fails if the connection is lost.
    pub(crate) fn add(
        &self,
        id: u64,
        progress: Option<OnProgress>,
        acknowledged: Option<OnAcknowledged>,
    ) -> Result<oneshot::Receiver<Answered>, Failure> {
        let mut table = self.table();
        if let Some(reason) = &table.lost {
            return Err(Failure::Lost { begun: false, reason: reason.clone() });
        }
        let (answer, receiver) = oneshot::channel();
        table.entries.insert(id, Entry { answer, begun: false, progress, acknowledged });
        Ok(receiver)
    }

    /// Records that the transport begins to send a request.
    pub(crate) fn begin(&self, id: u64) {
        if let Some(entry) = self.table().entries.get_mut(&id) {
            entry.begun = true;
        }
    }

    /// Returns whether a request still waits for its answer.
    pub(crate) fn is_waiting(&self, id: u64) -> bool {
        self.table().entries.contains_key(&id)
    }

    /// Passes a response to its request. Returns `false` if there is no such request.
    pub(crate) fn answer(&self, id: u64, answer: Answered) -> bool {
        let Some(entry) = self.table().entries.remove(&id) else {
            return false;
        };
        // An error means that the caller has just given up, so the response is dropped.
        let _ = entry.answer.send(answer);
        true
    }

    /// Removes a request whose caller gave up. Returns whether the server may have begun it, or `None` if it was answered.
    pub(crate) fn give_up(&self, id: u64) -> Option<bool> {
        self.table().entries.remove(&id).map(|entry| entry.begun)
    }

    /// Returns the function that receives the progress of a request.
    pub(crate) fn progress(&self, id: u64) -> Option<OnProgress> {
        self.table().entries.get(&id)?.progress.clone()
    }

    /// Returns the function that receives the acknowledgement of a request.
    pub(crate) fn acknowledged(&self, id: u64) -> Option<OnAcknowledged> {
        self.table().entries.get(&id)?.acknowledged.clone()
    }

    /// Fails all requests and all later ones. Returns `false` if the connection was already lost.
    pub(crate) fn lose(&self, reason: &str) -> bool {
        let mut table = self.table();
        if table.lost.is_some() {
            return false;
        }
        table.lost = Some(reason.to_owned());
        let entries = std::mem::take(&mut table.entries);
        drop(table);
        for entry in entries.into_values() {
            let _ = entry.answer.send(Err(Failure::Lost { begun: entry.begun, reason: reason.to_owned() }));
        }
        true
    }

    /// Returns whether the connection is lost.
    pub(crate) fn is_lost(&self) -> bool {
        self.table().lost.is_some()
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entry").field("begun", &self.begun).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(json: &str) -> Box<RawValue> {
        RawValue::from_string(json.to_owned()).unwrap()
    }

    #[tokio::test]
    async fn the_second_of_two_answers_with_one_id_is_dropped() {
        let pending = Pending::default();
        let answer = pending.add(1, None, None).unwrap();
        assert!(pending.answer(1, Ok(raw("1"))));
        assert!(!pending.answer(1, Ok(raw("2"))));
        assert_eq!(answer.await.unwrap().unwrap().get(), "1");
    }

    #[tokio::test]
    async fn a_lost_connection_reports_which_requests_may_have_begun() {
        let pending = Pending::default();
        let (sent, queued) = (pending.add(1, None, None).unwrap(), pending.add(2, None, None).unwrap());
        pending.begin(1);
        assert!(pending.lose("the process ended"));
        assert!(!pending.lose("again"));
        assert!(matches!(sent.await.unwrap(), Err(Failure::Lost { begun: true, .. })));
        assert!(matches!(queued.await.unwrap(), Err(Failure::Lost { begun: false, .. })));
        assert!(matches!(pending.add(3, None, None), Err(Failure::Lost { begun: false, .. })));
    }
}
