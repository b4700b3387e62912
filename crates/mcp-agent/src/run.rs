//! When a run is over: every prompt done and the session idle. Without any I/O.

use std::collections::HashSet;

use crate::message::{Message, SessionState};

/// Follows the prompts of a session.
///
/// A result ends a turn, not the run: a background task may wake the session, and prompts wait in a queue. Idle alone
/// does not end it either, for the CLI may say so after a prompt was sent and before it was read. So every prompt has an
/// id, and the run is over when the CLI has said of each that it is done, and then that the session is idle. A CLI that
/// says neither is taken to be done at its result.
#[derive(Debug, Default)]
pub(crate) struct Run {
    outstanding: HashSet<String>,
    tells_prompts: bool,
    tells_state: bool,
    idle: bool,
    active: bool,
}

impl Run {
    /// A prompt is about to be sent.
    pub(crate) fn sent(&mut self, uuid: String) {
        self.outstanding.insert(uuid);
        self.active = true;
        // Until the CLI says so again: of a CLI that never does, the next result will be taken for it.
        self.idle = false;
    }

    /// A prompt could not be sent after all.
    pub(crate) fn unsent(&mut self, uuid: &str) {
        self.outstanding.remove(uuid);
        self.active = !self.outstanding.is_empty();
    }

    /// Whether there is anything to wait for.
    pub(crate) fn is_active(&self) -> bool {
        self.active
    }

    /// Follows a message; true when the run is over with it.
    pub(crate) fn observe(&mut self, message: &Message) -> bool {
        match message {
            Message::CommandLifecycle(command) => {
                self.tells_prompts = true;
                if command.state.is_final() {
                    self.outstanding.remove(&command.command_uuid);
                }
                self.end_if_done()
            }
            Message::SessionState(change) => {
                self.tells_state = true;
                self.idle = change.state == SessionState::Idle;
                self.active |= !self.idle;
                self.end_if_done()
            }
            Message::Result(_) => {
                if !self.tells_prompts {
                    self.outstanding.clear();
                }
                self.idle |= !self.tells_state;
                self.end_if_done()
            }
            _ => false,
        }
    }

    fn end_if_done(&mut self) -> bool {
        let over = self.active && self.idle && self.outstanding.is_empty();
        self.active &= !over;
        over
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn message(value: serde_json::Value) -> Message {
        serde_json::from_value(value).expect("a message")
    }

    fn state(state: &str) -> Message {
        message(json!({"type": "system", "subtype": "session_state_changed", "state": state}))
    }

    fn command(uuid: &str, state: &str) -> Message {
        message(json!({"type": "command_lifecycle", "command_uuid": uuid, "state": state}))
    }

    fn result() -> Message {
        message(json!({"type": "result", "subtype": "success"}))
    }

    fn over(run: &mut Run, messages: &[Message]) -> Vec<bool> {
        messages.iter().map(|message| run.observe(message)).collect()
    }

    #[test]
    fn a_run_ends_at_idle_after_its_prompt_is_done() {
        let mut run = Run::default();
        assert!(!run.is_active());
        run.sent("a".to_owned());
        let seen = [state("running"), command("a", "started"), result(), command("a", "completed"), state("idle")];
        assert_eq!(over(&mut run, &seen), [false, false, false, false, true]);
        assert!(!run.is_active());
    }

    #[test]
    fn idle_before_the_next_prompt_was_read_does_not_end_the_run() {
        let mut run = Run::default();
        run.sent("a".to_owned());
        assert_eq!(over(&mut run, &[state("running"), command("a", "queued"), result()]), [false; 3]);
        run.sent("b".to_owned());
        assert_eq!(over(&mut run, &[command("a", "completed"), state("idle"), state("running")]), [false; 3]);
        assert_eq!(over(&mut run, &[result(), command("b", "cancelled"), state("idle")]), [false, false, true]);
    }

    #[test]
    fn a_background_task_keeps_the_run_going_after_a_result() {
        let mut run = Run::default();
        run.sent("a".to_owned());
        let seen = [state("running"), result(), command("a", "completed"), result(), state("idle")];
        assert_eq!(over(&mut run, &seen), [false, false, false, false, true]);
    }

    #[test]
    fn a_cli_that_tells_nothing_is_done_at_its_result() {
        let mut run = Run::default();
        run.sent("a".to_owned());
        assert_eq!(over(&mut run, &[result()]), [true]);
    }

    #[test]
    fn a_cli_that_tells_only_its_state_is_done_at_idle() {
        let mut run = Run::default();
        run.sent("a".to_owned());
        assert_eq!(over(&mut run, &[state("running"), result(), state("idle")]), [false, false, true]);
    }

    #[test]
    fn a_session_that_wakes_by_itself_runs_again() {
        let mut run = Run::default();
        assert_eq!(over(&mut run, &[state("running"), result(), state("idle")]), [false, false, true]);
    }
}
