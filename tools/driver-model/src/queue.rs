//! Models of the threads that add messages and the writer thread.

use std::task::{Context, Wake, Waker};

use loom::sync::{Arc, Condvar, Mutex};
use loom::thread;
use mcp_stdio::__private::State;

use crate::shared::{Shared, check};

/// The length of two messages with their newlines.
const BOTH: u64 = 4;

#[test]
fn the_writer_thread_writes_each_message_once_and_the_shutdown_waits_for_it() {
    check(|| {
        let shared = Arc::new(Shared::new(Vec::new(), 100));
        let writer = thread::spawn({
            let shared = shared.clone();
            move || {
                // In production it never ends.
                while shared.with(|state| state.queue().written()) < BOTH {
                    shared.wait_for_messages();
                    shared.flush();
                }
            }
        });
        let task = thread::spawn({
            let shared = shared.clone();
            move || {
                shared.push(1);
                shared.with(State::request_writer);
            }
        });
        shared.push(2);
        shared.with(|state| {
            state.request_writer();
            state.request_shutdown(());
        });
        shared.wait_until(|state| state.queue().written() == BOTH && state.queue().is_flushed());
        task.join().unwrap();
        writer.join().unwrap();
        assert_eq!(shared.received(), [1, 2]);
    });
}

/// A task that notes that it was woken.
struct Task {
    woken: Mutex<bool>,
    wakes: Condvar,
}

impl Wake for Task {
    fn wake(self: std::sync::Arc<Task>) {
        *self.woken.lock().unwrap() = true;
        self.wakes.notify_one();
    }
}

#[test]
fn a_task_that_waits_for_room_is_woken() {
    check(|| {
        let shared = Arc::new(Shared::new(Vec::new(), 1));
        shared.push(1);
        let writer = thread::spawn({
            let shared = shared.clone();
            move || shared.flush()
        });
        let task = std::sync::Arc::new(Task { woken: Mutex::new(false), wakes: Condvar::new() });
        let waker = Waker::from(task.clone());
        if shared.with(|state| state.queue().poll_room(&Context::from_waker(&waker))).is_pending() {
            let mut woken = task.woken.lock().unwrap();
            while !*woken {
                woken = task.wakes.wait(woken).unwrap();
            }
        }
        assert!(shared.with(|state| state.queue().has_room()));
        writer.join().unwrap();
    });
}
