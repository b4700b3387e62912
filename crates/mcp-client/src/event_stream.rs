//! Streams of events with bounded memory: a slow reader loses the oldest events.

use std::collections::VecDeque;
use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::task::{Context, Poll, Waker};

use futures_core::Stream;

/// The maximum number of events that a stream keeps for a slow reader.
pub(crate) const MOST_EVENTS: usize = 256;

/// Sends events to any number of [`Events`] streams.
pub(crate) struct Feed<T> {
    readers: Mutex<Vec<Weak<Queue<T>>>>,
}

/// A stream of events of one kind.
///
/// It keeps the last 256 events. A slow reader loses the oldest ones, and
/// [`missed`](Events::missed) counts them. It ends when the client is closed or dropped.
pub struct Events<T> {
    queue: Arc<Queue<T>>,
}

struct Queue<T>(Mutex<State<T>>);

struct State<T> {
    events: VecDeque<T>,
    missed: u64,
    closed: bool,
    waker: Option<Waker>,
}

impl<T> Queue<T> {
    fn state(&self) -> MutexGuard<'_, State<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: Clone> Feed<T> {
    /// Opens a stream of the events that are sent after this call.
    pub(crate) fn subscribe(&self) -> Events<T> {
        let state = State { events: VecDeque::new(), missed: 0, closed: false, waker: None };
        let queue = Arc::new(Queue(Mutex::new(state)));
        let mut readers = self.readers();
        readers.retain(|reader| reader.strong_count() > 0);
        readers.push(Arc::downgrade(&queue));
        Events { queue }
    }

    /// Sends an event to all streams.
    pub(crate) fn send(&self, event: &T) {
        for reader in self.readers().iter().filter_map(Weak::upgrade) {
            let mut state = reader.state();
            if state.events.len() == MOST_EVENTS {
                state.events.pop_front();
                state.missed += 1;
            }
            state.events.push_back(event.clone());
            if let Some(waker) = state.waker.take() {
                waker.wake();
            }
        }
    }

    fn readers(&self) -> MutexGuard<'_, Vec<Weak<Queue<T>>>> {
        self.readers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Default for Feed<T> {
    fn default() -> Feed<T> {
        Feed { readers: Mutex::default() }
    }
}

impl<T> Drop for Feed<T> {
    fn drop(&mut self) {
        let readers = self.readers.get_mut().unwrap_or_else(PoisonError::into_inner);
        for reader in readers.iter().filter_map(Weak::upgrade) {
            let mut state = reader.state();
            state.closed = true;
            if let Some(waker) = state.waker.take() {
                waker.wake();
            }
        }
    }
}

impl<T> Events<T> {
    /// Waits for the next event. Returns `None` after the last one.
    ///
    /// Cancel safe: dropping the future loses no event.
    pub async fn next(&mut self) -> Option<T> {
        poll_fn(|task| self.poll(task)).await
    }

    /// Returns the number of events that were dropped because this stream was read too slowly.
    pub fn missed(&self) -> u64 {
        self.queue.state().missed
    }

    pub(crate) fn poll(&self, task: &mut Context<'_>) -> Poll<Option<T>> {
        let mut state = self.queue.state();
        match state.events.pop_front() {
            Some(event) => Poll::Ready(Some(event)),
            None if state.closed => Poll::Ready(None),
            None => {
                state.waker = Some(task.waker().clone());
                Poll::Pending
            }
        }
    }
}

impl<T> Stream for Events<T> {
    type Item = T;

    fn poll_next(self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<Option<T>> {
        self.poll(task)
    }
}

impl<T> fmt::Debug for Feed<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Feed").finish_non_exhaustive()
    }
}

impl<T> fmt::Debug for Events<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Events").field("missed", &self.missed()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_slow_reader_loses_the_oldest_events_and_receives_their_number() {
        let feed = Feed::default();
        let mut events = feed.subscribe();
        for number in 0..MOST_EVENTS + 10 {
            feed.send(&number);
        }
        assert_eq!(events.next().await, Some(10));
        assert_eq!(events.missed(), 10);
    }

    #[tokio::test]
    async fn a_stream_ends_when_its_feed_is_dropped() {
        let feed = Feed::default();
        let mut events = feed.subscribe();
        feed.send(&1);
        drop(feed);
        assert_eq!((events.next().await, events.next().await), (Some(1), None));
    }
}
