//! The streams of a session, which its client can resume after a disconnect.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::limits::{FINISHED_STREAM_BYTES, FINISHED_STREAMS, REPLAY_BYTES_PER_STREAM};
use crate::message_queue::MessageQueue;

/// The number of the stream of messages that belong to no request.
pub(crate) const GENERAL: u64 = 0;

/// The message queues of a session, by stream number. Event ids have the form `stream-message`.
#[derive(Debug)]
pub(crate) struct Streams {
    /// The stream [`GENERAL`].
    general: Arc<MessageQueue>,
    calls: Mutex<Calls>,
}

#[derive(Debug, Default)]
struct Calls {
    last_number: u64,
    queues: VecDeque<(u64, Arc<MessageQueue>)>,
}

impl Streams {
    pub(crate) fn new() -> Streams {
        Streams { general: Arc::new(MessageQueue::new(REPLAY_BYTES_PER_STREAM)), calls: Mutex::default() }
    }

    /// Returns the queue of messages that belong to no request.
    pub(crate) fn general(&self) -> Arc<MessageQueue> {
        self.general.clone()
    }

    /// Adds the queue of a call and returns its number. May remove finished streams.
    pub(crate) fn add(&self, queue: Arc<MessageQueue>) -> u64 {
        let mut calls = self.calls();
        calls.last_number += 1;
        let number = calls.last_number;
        calls.queues.push_back((number, queue));
        calls.remove_finished();
        number
    }

    /// Parses an event id. Returns the stream number, its queue and the number of the message after the event; `None` if the
    /// id is invalid or the stream is not kept.
    pub(crate) fn after(&self, event_id: &str) -> Option<(u64, Arc<MessageQueue>, u64)> {
        let (number, seen) = event_id.split_once('-')?;
        let (number, seen): (u64, u64) = (number.parse().ok()?, seen.parse().ok()?);
        let queue = match number {
            GENERAL => self.general.clone(),
            _ => self.calls().queues.iter().find(|(known, _)| *known == number).map(|(_, queue)| queue.clone())?,
        };
        Some((number, queue, seen.saturating_add(1)))
    }

    /// Ends every stream.
    pub(crate) fn finish(&self) {
        self.general.finish(None);
        self.calls().queues.drain(..).for_each(|(_, queue)| queue.finish(None));
    }

    fn calls(&self) -> MutexGuard<'_, Calls> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Calls {
    /// Removes the oldest finished streams while they exceed the limits. Keeps at least one.
    fn remove_finished(&mut self) {
        while self.exceeds_limits() {
            let oldest = self.queues.iter().position(|(_, queue)| queue.is_finished());
            oldest.and_then(|index| self.queues.remove(index));
        }
    }

    fn exceeds_limits(&self) -> bool {
        let finished = self.queues.iter().filter(|(_, queue)| queue.is_finished());
        let (count, bytes) = finished.fold((0, 0), |(count, bytes), (_, queue)| (count + 1, bytes + queue.size()));
        count > FINISHED_STREAMS || (count > 1 && bytes > FINISHED_STREAM_BYTES)
    }
}
