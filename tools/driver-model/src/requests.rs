//! Models of the tasks that use mcp-agent's table of requests: the reader of the CLI's output, the tasks that serve requests of
//! the CLI, the callers that wait for responses, and the end of the session.

use loom::sync::atomic::{AtomicUsize, Ordering};
use loom::sync::{Arc, Mutex};
use loom::thread;
use mcp_agent::__private::{InFlight, RequestId};

use crate::shared::check;

/// The waiter for a response. Like a oneshot channel, it notices that it is dropped.
struct Waiter(Arc<Counts>);

impl Drop for Waiter {
    fn drop(&mut self) {
        self.0.waiters_released.fetch_add(1, Ordering::SeqCst);
    }
}

/// What happened outside of the table.
#[derive(Default)]
struct Counts {
    /// Responses that were written to the CLI.
    responses: AtomicUsize,
    /// Work that was stopped because the session has ended. It sends no response.
    stopped: AtomicUsize,
    /// Responses that reached their caller.
    received: AtomicUsize,
    /// Cancellations that were written to the CLI.
    cancellations: AtomicUsize,
    /// Waiters that are gone: the response arrived, the caller went away, or the session has ended.
    waiters_released: AtomicUsize,
}

type Table = Arc<Mutex<InFlight<Waiter, ()>>>;

fn count(counter: &AtomicUsize) -> usize {
    counter.load(Ordering::SeqCst)
}

fn add(counter: &AtomicUsize) {
    counter.fetch_add(1, Ordering::SeqCst);
}

/// Ends the session as `Link::end` does.
fn close(table: &Table, counts: &Counts) {
    let (waiters, works) = table.lock().unwrap().close();
    drop(waiters);
    counts.stopped.fetch_add(works.len(), Ordering::SeqCst);
}

#[test]
fn a_request_of_the_cli_is_answered_once_or_stopped_by_the_end_of_the_session() {
    check(|| {
        let (table, counts) = (Table::new(Mutex::default()), Arc::new(Counts::default()));
        let id = RequestId::numbered(1);
        let mut work = None;
        // The task starts while the table is locked, as in production.
        let added = table.lock().unwrap().add_received(id.clone(), || {
            let (table, counts, id) = (table.clone(), counts.clone(), id.clone());
            work = Some(thread::spawn(move || {
                let mine = table.lock().unwrap().finish(&id);
                if mine {
                    add(&counts.responses);
                }
            }));
        });
        assert!(added);
        let end = thread::spawn({
            let (table, counts) = (table.clone(), counts.clone());
            move || close(&table, &counts)
        });
        // The CLI cancels its request.
        if table.lock().unwrap().cancel(&id).is_some() {
            add(&counts.responses);
        }
        work.expect("it was started").join().unwrap();
        end.join().unwrap();
        assert_eq!(count(&counts.responses) + count(&counts.stopped), 1);
    });
}

#[test]
fn a_response_a_dropped_caller_and_the_end_of_the_session_exclude_each_other() {
    check(|| {
        let (table, counts) = (Table::new(Mutex::default()), Arc::new(Counts::default()));
        let Ok(id) = table.lock().unwrap().add_sent(Waiter(counts.clone())) else { panic!("the table is open") };
        let reader = thread::spawn({
            let (table, counts, id) = (table.clone(), counts.clone(), id.clone());
            move || {
                let waiter = table.lock().unwrap().take_sent(&id);
                if let Some(waiter) = waiter {
                    add(&counts.received);
                    drop(waiter);
                }
            }
        });
        let end = thread::spawn({
            let (table, counts) = (table.clone(), counts.clone());
            move || close(&table, &counts)
        });
        // The caller drops its future: a cancellation is sent unless the response has arrived.
        let waiter = table.lock().unwrap().take_sent(&id);
        if waiter.is_some() {
            add(&counts.cancellations);
        }
        drop(waiter);
        reader.join().unwrap();
        end.join().unwrap();
        assert!(count(&counts.received) + count(&counts.cancellations) <= 1);
        assert_eq!(count(&counts.waiters_released), 1);
    });
}

#[test]
fn a_request_that_begins_while_the_session_ends_never_waits_for_a_response() {
    check(|| {
        let (table, counts) = (Table::new(Mutex::default()), Arc::new(Counts::default()));
        let end = thread::spawn({
            let (table, counts) = (table.clone(), counts.clone());
            move || close(&table, &counts)
        });
        let added = table.lock().unwrap().add_sent(Waiter(counts.clone()));
        // `Err` gives the waiter back: the caller sees at once that the session has ended.
        drop(added);
        end.join().unwrap();
        assert_eq!(count(&counts.waiters_released), 1);
    });
}
