//! Decides when a run is over: every prompt is done and the session is idle. Does no I/O.

use std::collections::HashSet;

use crate::message::{Message, SessionState};

/// Tracks the prompts of a session that are not done yet.
///
/// A result ends a turn but not the run: a background task may start another turn, and prompts may be queued. The state
/// "idle" does not end the run either: the CLI may report it after a prompt was sent but before the CLI has read that
/// prompt. Therefore every prompt has an id, and the run is over when the CLI has reported each prompt as done and then
/// reports the session as idle. If a CLI reports neither, its result ends the run.
#[derive(Debug, Default)]
pub(crate) struct Run {
    /// Ids of the prompts that were sent and are not done.
    outstanding: HashSet<String>,
    /// Ids that the caller chose.
    chosen: HashSet<String>,
    reports_prompts: bool,
    reports_state: bool,
    idle: bool,
    active: bool,
}

impl Run {
    /// Records a prompt that is about to be sent.
    pub(crate) fn sent(&mut self, uuid: String) {
        self.outstanding.insert(uuid);
        self.active = true;
        // Not idle until the CLI reports it again, or until the next result of a CLI that never reports its state.
        self.idle = false;
    }

    /// Records an id that the caller chose. Returns false if a prompt with this id was sent before.
    pub(crate) fn choose(&mut self, uuid: &str) -> bool {
        self.chosen.insert(uuid.to_owned())
    }

    /// Records that a turn is running in the session that was joined.
    pub(crate) fn joined_running(&mut self) {
        self.active = true;
        self.reports_state = true;
    }

    /// Removes a prompt that could not be sent.
    pub(crate) fn unsent(&mut self, uuid: &str) {
        self.chosen.remove(uuid);
        self.outstanding.remove(uuid);
        self.active = !self.outstanding.is_empty();
    }

    /// Returns whether the run is still going on.
    pub(crate) fn is_active(&self) -> bool {
        self.active
    }

    /// Updates the state from a message. Returns true if this message ends the run.
    pub(crate) fn observe(&mut self, message: &Message) -> bool {
        match message {
            Message::CommandLifecycle(command) => {
                self.reports_prompts = true;
                if command.state.is_final() {
                    self.outstanding.remove(&command.command_uuid);
                }
                self.end_if_done()
            }
            Message::SessionState(change) => {
                self.reports_state = true;
                self.idle = change.state == SessionState::Idle;
                self.active |= !self.idle;
                self.end_if_done()
            }
            Message::Result(_) => {
                if !self.reports_prompts {
                    self.outstanding.clear();
                }
                self.idle |= !self.reports_state;
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
    fn the_result_ends_the_run_of_a_cli_that_reports_no_state() {
        let mut run = Run::default();
        run.sent("a".to_owned());
        assert_eq!(over(&mut run, &[result()]), [true]);
    }

    #[test]
    fn idle_ends_the_run_of_a_cli_that_does_not_report_prompts() {
        let mut run = Run::default();
        run.sent("a".to_owned());
        assert_eq!(over(&mut run, &[state("running"), result(), state("idle")]), [false, false, true]);
    }

    #[test]
    fn a_turn_started_by_the_cli_is_a_run_too() {
        let mut run = Run::default();
        assert_eq!(over(&mut run, &[state("running"), result(), state("idle")]), [false, false, true]);
    }
}
