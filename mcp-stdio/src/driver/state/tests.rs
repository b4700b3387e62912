//! Tests of single transitions. `tools/driver-model` tests several threads.

use super::*;

struct Numbers;

impl Parts for Numbers {
    type Thread = u8;
    type Input = &'static str;
    type Call = u8;
    type Job = u8;
    type End = &'static str;
}

/// Returns a state with two reader threads, the first of which leads.
fn state() -> State<Numbers> {
    state_with(2)
}

fn state_with(max_threads: usize) -> State<Numbers> {
    let mut state = State::new("input", Queue::new(100), max_threads);
    assert!(state.add_thread());
    assert!(!state.add_thread(), "a thread is waiting already");
    assert!(matches!(state.next_turn(), Turn::Lead("input")));
    assert!(state.add_thread());
    assert!(matches!(state.next_turn(), Turn::Wait));
    state
}

/// Ticks until the leader should be replaced. Returns the number of ticks.
fn ticks_until_replacement(state: &mut State<Numbers>) -> usize {
    (1..100).find(|_| state.tick()).expect("the leader should be replaced")
}

#[test]
fn a_replaced_leader_gets_neither_its_input_back_nor_that_of_the_next_leader() {
    let mut state = state_with(3);
    assert!(state.begin(1, "input", Work::Poll(None)).is_ok());
    ticks_until_replacement(&mut state);
    assert!(state.replace_leader().is_some());
    assert!(matches!(state.next_turn(), Turn::Lead("input")));
    assert!(state.begin(2, "input", Work::Poll(None)).is_ok());
    assert_eq!(state.keep_job(&1, 7), Err(7));
    assert!(state.end(&1).is_none());
    assert!(state.end(&2).is_some());
}

#[test]
fn a_leader_that_no_thread_can_replace_must_not_begin_a_long_step() {
    let mut state = state();
    assert!(state.begin(1, "input", Work::Write).is_ok());
    ticks_until_replacement(&mut state);
    assert!(state.replace_leader().is_some());
    assert!(matches!(state.next_turn(), Turn::Lead("input")));
    assert!(matches!(state.begin(2, "input", Work::RunJob(5)), Err(("input", Work::RunJob(5)))));
    assert!(state.end(&1).is_none());
    state.return_thread();
    assert!(state.begin(2, "input", Work::RunJob(5)).is_ok());
}

#[test]
fn only_the_first_job_of_a_poll_is_kept() {
    let mut state = state();
    assert!(state.begin(1, "input", Work::Poll(None)).is_ok());
    assert_eq!(state.keep_job(&1, 7), Ok(()));
    assert_eq!(state.keep_job(&1, 8), Err(8));
    assert!(matches!(state.end(&1), Some(("input", Work::Poll(Some(7))))));
    assert_eq!(state.keep_job(&1, 9), Err(9), "the poll has ended");
}

#[test]
fn a_write_may_take_longer_than_a_call() {
    for (work, ticks) in [(Work::Poll(None), 2), (Work::RunJob(5), 2), (Work::Write, 14)] {
        let mut state = state();
        assert!(state.begin(1, "input", work).is_ok());
        assert_eq!(ticks_until_replacement(&mut state), ticks);
    }
}

#[test]
fn a_leader_whose_steps_are_short_is_never_replaced() {
    let mut state = state();
    for _ in 0..100 {
        assert!(state.begin(1, "input", Work::Poll(None)).is_ok());
        assert!(!state.tick());
        assert!(state.end(&1).is_some());
    }
}

#[test]
fn the_supervisor_sleeps_when_nothing_happens_and_the_next_step_wakes_it() {
    let mut state = state();
    state.take_wakeups();
    assert!(!state.is_ticking());
    assert!(state.begin(1, "input", Work::Poll(None)).is_ok());
    assert!(state.is_ticking() && state.take_wakeups().supervisor);
    assert!(state.end(&1).is_some());
    let ticks = (0..100).take_while(|_| state.is_ticking() && !state.tick()).count();
    assert!((12..20).contains(&ticks), "{ticks}");
    assert!(state.begin(1, "input", Work::Poll(None)).is_ok());
    assert!(state.take_wakeups().supervisor);
}

#[test]
fn after_the_request_to_shut_down_nothing_is_read() {
    let mut state = state();
    assert!(state.begin_read());
    assert!(state.is_idle());
    assert!(state.request_shutdown("signal"));
    assert!(!state.request_shutdown("end of input"), "only the first request counts");
    assert!(!state.end_read(), "what was read after the request is discarded");
    assert!(state.is_idle());
    assert!(matches!(state.next_turn(), Turn::End));
    assert_eq!((state.take_end(), state.take_end()), (Some("signal"), None));
}

#[test]
fn a_server_is_idle_only_when_every_reply_is_written() {
    let mut state = state();
    assert!(!state.is_idle(), "the leader may have messages");
    state.reply_pending();
    state.stop_reading();
    assert!(!state.is_idle());
    state.queue().push(|bytes| bytes.push(b'1'));
    state.reply_done();
    assert!(!state.is_idle());
    let batch = state.queue().take().unwrap();
    assert!(!state.is_idle());
    state.wrote(2);
    state.finish_write(batch, true);
    assert!(state.is_idle());
}
