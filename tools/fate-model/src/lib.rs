//! All interleavings of reply and cancel, by loom.

#![cfg(test)]

#[path = "../../../mcp-core/src/call/status.rs"]
mod status;

/// `status.rs` imports `crate::call::cancellation::Cancellation`.
mod call {
    pub(crate) mod cancellation {
        pub(crate) use mcp_core::Cancellation;
    }
}

use std::sync::Arc as StdArc;
use std::task::{Wake, Waker};

use loom::sync::Arc;
use loom::sync::atomic::{AtomicBool, Ordering};
use loom::thread;

use status::CallStatus;

#[test]
fn of_an_answer_a_cancel_and_a_timeout_exactly_one_wins() {
    loom::model(|| {
        let status = Arc::new(CallStatus::default());
        let racers: [fn(&CallStatus) -> bool; 2] = [CallStatus::cancel, CallStatus::expire];
        let others = racers.map(|race| {
            let status = status.clone();
            thread::spawn(move || race(&status))
        });
        let answered = status.answer();
        let stopped = others.map(|other| other.join().unwrap());
        assert_eq!([answered, stopped[0], stopped[1]].into_iter().filter(|won| *won).count(), 1);
        assert_eq!(status.is_stopped(), !answered);
    });
}

#[test]
fn a_token_hears_of_a_cancel_at_any_moment() {
    loom::model(|| {
        let status = Arc::new(CallStatus::default());
        let other = thread::spawn({
            let status = status.clone();
            move || status.cancel()
        });
        let token = status.token();
        assert!(other.join().unwrap());
        assert!(token.is_cancelled());
    });
}

/// Notes that it was woken.
struct Flag(AtomicBool);

impl Wake for Flag {
    fn wake(self: StdArc<Self>) {
        self.0.store(true, Ordering::SeqCst);
    }
}

#[test]
fn a_task_that_registers_is_woken_or_sees_the_cancel_itself() {
    loom::model(|| {
        let status = Arc::new(CallStatus::default());
        let other = thread::spawn({
            let status = status.clone();
            move || status.cancel()
        });
        let flag = StdArc::new(Flag(AtomicBool::new(false)));
        status.register(&Waker::from(flag.clone()));
        let seen = status.is_stopped();
        assert!(other.join().unwrap());
        assert!(seen || flag.0.load(Ordering::SeqCst), "nobody would ever poll it again");
    });
}

#[test]
fn a_task_that_answers_is_not_stopped_afterwards() {
    loom::model(|| {
        let status = Arc::new(CallStatus::default());
        let other = thread::spawn({
            let status = status.clone();
            move || status.cancel()
        });
        let (answered, token) = (status.answer(), status.token());
        let cancelled = other.join().unwrap();
        assert_ne!(answered, cancelled);
        assert_eq!(token.is_cancelled(), cancelled);
    });
}
