//! All interleavings of reply and cancel, by loom.

#![cfg(test)]

#[path = "../../../mcp-core/src/fate.rs"]
mod fate;

/// Where `fate` finds it in the core.
mod cancellation {
    pub(crate) use mcp_core::Cancellation;
}

use std::sync::Arc as StdArc;
use std::task::{Wake, Waker};

use loom::sync::Arc;
use loom::sync::atomic::{AtomicBool, Ordering};
use loom::thread;

use fate::Fate;

#[test]
fn of_an_answer_a_cancel_and_a_timeout_exactly_one_wins() {
    loom::model(|| {
        let fate = Arc::new(Fate::default());
        let racers: [fn(&Fate) -> bool; 2] = [Fate::cancel, Fate::expire];
        let others = racers.map(|race| {
            let fate = fate.clone();
            thread::spawn(move || race(&fate))
        });
        let answered = fate.answer();
        let stopped = others.map(|other| other.join().unwrap());
        assert_eq!([answered, stopped[0], stopped[1]].into_iter().filter(|won| *won).count(), 1);
        assert_eq!(fate.is_stopped(), !answered);
    });
}

#[test]
fn a_token_hears_of_a_cancel_at_any_moment() {
    loom::model(|| {
        let fate = Arc::new(Fate::default());
        let other = thread::spawn({
            let fate = fate.clone();
            move || fate.cancel()
        });
        let token = fate.token();
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
        let fate = Arc::new(Fate::default());
        let other = thread::spawn({
            let fate = fate.clone();
            move || fate.cancel()
        });
        let flag = StdArc::new(Flag(AtomicBool::new(false)));
        fate.register(&Waker::from(flag.clone()));
        let seen = fate.is_stopped();
        assert!(other.join().unwrap());
        assert!(seen || flag.0.load(Ordering::SeqCst), "nobody would ever poll it again");
    });
}

#[test]
fn a_task_that_answers_is_not_stopped_afterwards() {
    loom::model(|| {
        let fate = Arc::new(Fate::default());
        let other = thread::spawn({
            let fate = fate.clone();
            move || fate.cancel()
        });
        let (answered, token) = (fate.answer(), fate.token());
        let cancelled = other.join().unwrap();
        assert_ne!(answered, cancelled);
        assert_eq!(token.is_cancelled(), cancelled);
    });
}
