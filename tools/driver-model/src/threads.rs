//! Models of the leader and the supervisor.

use loom::sync::Arc;
use loom::thread::{self, JoinHandle};
use mcp_stdio::__private::{State, Work};

use crate::shared::{Input, Message, Shared, check};

/// More than all replies of a model.
const LIMIT: usize = 100;

/// A reader thread, as in `mcp-stdio/src/driver/mod.rs`.
fn start_reader(shared: &Arc<Shared>, me: u8) -> JoinHandle<()> {
    let shared = shared.clone();
    thread::spawn(move || {
        while let Some(input) = shared.wait_for_turn() {
            lead(&shared, me, input);
            shared.with(State::return_thread);
        }
    })
}

/// The leader, as in `mcp-stdio/src/driver/leader.rs`.
fn lead(shared: &Shared, me: u8, mut input: Input) {
    loop {
        let handled = match input.chunk.take() {
            None => Some(input),
            Some(Message::Ready(call)) => run_ready(shared, me, input, call),
            Some(Message::Blocking(call)) => run_blocking(shared, me, input, call, || {}),
            Some(Message::BlockingUntilRelease(call)) => {
                run_blocking(shared, me, input, call, || shared.wait_for_release())
            }
            Some(Message::Release) => {
                shared.release();
                Some(input)
            }
        };
        let Some(flushed) = handled.and_then(|input| flush(shared, me, input)) else {
            return;
        };
        input = flushed;
        if !shared.with(State::begin_read) {
            return;
        }
        input.chunk = input.unread.pop();
        if input.chunk.is_none() {
            shared.with(|state| {
                state.request_shutdown(());
                state.stop_reading();
            });
            return;
        }
        if !shared.with(State::end_read) {
            return;
        }
    }
}

fn run_ready(shared: &Shared, me: u8, input: Input, call: u8) -> Option<Input> {
    if let Err((input, _)) = shared.with(|state| state.begin(me, input, Work::Poll(None))) {
        run_elsewhere(shared, call);
        return Some(input);
    }
    let ended = shared.with(|state| {
        state.queue().push(|bytes| bytes.push(call));
        state.end(&me)
    });
    if ended.is_none() {
        shared.flush();
        shared.with(State::reply_done);
    }
    ended.map(|(input, _)| input)
}

fn run_blocking(shared: &Shared, me: u8, input: Input, call: u8, job: impl FnOnce()) -> Option<Input> {
    if let Err((input, _)) = shared.with(|state| state.begin(me, input, Work::Poll(None))) {
        run_elsewhere(shared, call);
        return Some(input);
    }
    // If this thread was replaced already, the job would go to the pool.
    let _ = shared.with(|state| state.keep_job(&me, call));
    match shared.with(|state| state.end(&me)) {
        Some((input, Work::Poll(Some(kept)))) => {
            assert_eq!(kept, call);
            assert!(shared.with(|state| state.begin(me, input, Work::RunJob(call))).is_ok());
        }
        Some(_) => panic!("a leader that was not replaced keeps the job"),
        None => {
            run_elsewhere(shared, call);
            shared.with(State::reply_done);
            return None;
        }
    }
    job();
    // If this thread was replaced, the supervisor has moved the call.
    let (input, _) = shared.with(|state| state.end(&me))?;
    shared.push(call);
    Some(input)
}

/// Stands for a task of the runtime that runs a call and replies.
fn run_elsewhere(shared: &Shared, call: u8) {
    shared.with(State::reply_pending);
    reply_as_task(shared, call);
}

fn reply_as_task(shared: &Shared, call: u8) {
    shared.push(call);
    shared.flush();
    shared.with(State::reply_done);
}

fn flush(shared: &Shared, me: u8, input: Input) -> Option<Input> {
    let begun = shared.with(|state| match state.queue().needs_writer() {
        false => Err(input),
        true => state.begin(me, input, Work::Write).map_err(|(input, _)| input),
    });
    let input = match begun {
        Err(input) => {
            // The writer thread has a model of its own.
            shared.flush();
            input
        }
        Ok(()) => {
            shared.flush();
            let ended = shared.with(|state| {
                let ended = state.end(&me);
                if ended.is_none() {
                    state.reply_done();
                }
                ended
            });
            ended?.0
        }
    };
    shared.wait_for_room();
    Some(input)
}

/// The supervisor, with so many ticks at any moment, or with ticks until the shutdown. Returns after the shutdown.
fn supervise(shared: &Arc<Shared>, ticks: Option<usize>) {
    assert!(shared.with(State::add_thread));
    let mut readers = vec![start_reader(shared, 0)];
    for _ in 0..ticks.unwrap_or(usize::MAX) {
        shared.wait_until(|state| state.is_ticking() || state.is_shutting_down());
        if ticks.is_none() {
            if shared.with(|state| state.is_shutting_down()) {
                break;
            }
            thread::yield_now();
        }
        if shared.with(State::tick) {
            if shared.with(State::add_thread) {
                readers.push(start_reader(shared, readers.len() as u8));
            }
            if let Some(Work::RunJob(call)) = shared.with(State::replace_leader) {
                reply_as_task(shared, call);
            }
        }
    }
    shared.wait_until(|state| state.is_shutting_down());
    shared.wait_until(|state| state.is_idle());
    readers.into_iter().for_each(|reader| reader.join().unwrap());
}


#[test]
fn each_call_is_answered_once_whenever_its_leader_is_replaced() {
    for message in [Message::Ready(1), Message::Blocking(1)] {
        check(move || {
            let shared = Arc::new(Shared::new(vec![Message::Blocking(2), message], LIMIT));
            supervise(&shared, Some(2));
            assert_eq!(shared.received(), [1, 2]);
        });
    }
}

#[test]
fn a_replaced_leader_can_lead_again() {
    check(|| {
        let shared = Arc::new(Shared::new(vec![Message::Ready(2), Message::Ready(1)], LIMIT));
        supervise(&shared, Some(4));
        assert_eq!(shared.received(), [1, 2]);
    });
}

#[test]
fn a_leader_that_is_blocked_for_long_does_not_delay_other_messages() {
    check(|| {
        let shared = Arc::new(Shared::new(vec![Message::Release, Message::BlockingUntilRelease(1)], LIMIT));
        supervise(&shared, None);
        assert_eq!(shared.received(), [1]);
    });
}

#[test]
fn after_a_signal_every_call_that_was_accepted_is_answered() {
    check(|| {
        let shared = Arc::new(Shared::new(vec![Message::Ready(2), Message::Blocking(1)], LIMIT));
        let signal = thread::spawn({
            let shared = shared.clone();
            move || shared.with(|state| state.request_shutdown(()))
        });
        supervise(&shared, Some(1));
        signal.join().unwrap();
        let received = shared.received();
        assert!([&[][..], &[1], &[1, 2]].contains(&&received[..]), "{received:?}");
    });
}

#[test]
fn with_a_full_queue_the_leader_waits_and_reads_on_when_there_is_room() {
    check(|| {
        let shared = Arc::new(Shared::new(vec![Message::Ready(2), Message::Ready(1)], 1));
        let task = thread::spawn({
            let shared = shared.clone();
            move || run_elsewhere(&shared, 3)
        });
        supervise(&shared, Some(0));
        task.join().unwrap();
        shared.flush();
        assert_eq!(shared.received(), [1, 2, 3]);
    });
}
