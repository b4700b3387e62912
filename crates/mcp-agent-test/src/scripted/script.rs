//! The typed way to write a script.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::frames;
use super::step::Step;

/// What a scripted CLI says and expects, step by step.
///
/// Steps run in order. ScriptInput that arrive are kept until an `expect` takes them, so a script need not know whether the
/// prompt or the initialize request comes first. In frames and replies a string `$name/pointer` stands for a part of the
/// line that was expected under that name. After its last step the CLI waits for the end of its input and exits with 0, as
/// the real one does.
///
/// ```
/// use mcp_agent_test::Script;
/// use serde_json::json;
///
/// let script = Script::new()
///     .initialize()
///     .prompt()
///     .send_request("permission", json!({"subtype": "can_use_tool", "tool_name": "Bash", "input": {}, "tool_use_id": "t"}))
///     .expect_response("permission")
///     .text("as you wish")
///     .result("as you wish");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Script {
    steps: Vec<Step>,
}

impl Script {
    /// A script without steps.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The steps.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Adds a step.
    #[must_use]
    pub fn step(mut self, step: Step) -> Self {
        self.steps.push(step);
        self
    }

    /// Adds the steps of another script.
    #[must_use]
    pub fn then(mut self, other: Self) -> Self {
        self.steps.extend(other.steps);
        self
    }

    /// Writes a frame.
    #[must_use]
    pub fn emit(self, frame: Value) -> Self {
        self.step(Step::Emit(frame))
    }

    /// Writes a line that need not be JSON.
    #[must_use]
    pub fn line(self, line: &str) -> Self {
        self.raw(format!("{line}\n"))
    }

    /// Writes bytes as they are: half a line, two at once, what is not UTF-8.
    #[must_use]
    pub fn raw(self, bytes: impl Into<Vec<u8>>) -> Self {
        self.step(Step::Raw(bytes.into()))
    }

    /// Waits for a line that contains `frame`: in objects the named keys count, all else must be equal.
    ///
    /// When the input ends first, the CLI says so on standard error and exits with 97.
    #[must_use]
    pub fn expect(self, frame: Value) -> Self {
        self.step(Step::Expect { name: None, frame })
    }

    /// Waits like [`expect`](Self::expect) and bindings the line for later steps.
    #[must_use]
    pub fn expect_as(self, name: &str, frame: Value) -> Self {
        self.step(Step::Expect { name: Some(name.into()), frame })
    }

    /// Answers the control request that was expected under `name`.
    #[must_use]
    pub fn reply(self, name: &str, response: Value) -> Self {
        self.emit(frames::success(&format!("${name}/request_id"), response))
    }

    /// Answers the control request that was expected under `name` with an error.
    #[must_use]
    pub fn reply_error(self, name: &str, error: &str) -> Self {
        self.emit(frames::failure(&format!("${name}/request_id"), error))
    }

    /// Sends a control request whose id is `id`.
    #[must_use]
    pub fn send_request(self, id: &str, request: Value) -> Self {
        self.emit(json!({"type": "control_request", "request_id": id, "request": request}))
    }

    /// Waits for the answer to the request `id`, and bindings it `id`.
    #[must_use]
    pub fn expect_response(self, id: &str) -> Self {
        self.expect_as(id, json!({"type": "control_response", "response": {"request_id": id}}))
    }

    /// Expects the initialize request and answers it.
    #[must_use]
    pub fn initialize(self) -> Self {
        let request = json!({"type": "control_request", "request": {"subtype": "initialize"}});
        self.expect_as("initialize", request).reply("initialize", frames::initialized())
    }

    /// Expects a prompt and opens the turn, as the CLI does, with an init message.
    #[must_use]
    pub fn prompt(self) -> Self {
        self.expect_as("prompt", json!({"type": "user"})).emit(frames::init())
    }

    /// Says a text, as an assistant message of one block.
    #[must_use]
    pub fn text(self, text: &str) -> Self {
        self.emit(frames::assistant(json!({"type": "text", "text": text})))
    }

    /// Ends the turn with success.
    #[must_use]
    pub fn result(self, text: &str) -> Self {
        self.emit(frames::result(text))
    }

    /// Says that the session runs; its run then ends at [`idle`](Self::idle) and not at the result.
    #[must_use]
    pub fn running(self) -> Self {
        self.emit(frames::state("running"))
    }

    /// Says that nothing runs any more, which ends the run.
    #[must_use]
    pub fn idle(self) -> Self {
        self.emit(frames::state("idle"))
    }

    /// Waits for the end of the input.
    #[must_use]
    pub fn wait_for_eof(self) -> Self {
        self.step(Step::WaitForEof)
    }

    /// Waits. For faults that are about time; to wait for the other side there is [`expect`](Self::expect).
    #[must_use]
    pub fn sleep(self, time: Duration) -> Self {
        self.step(Step::Sleep(time.as_millis().try_into().unwrap_or(u64::MAX)))
    }

    /// Writes text to standard error.
    #[must_use]
    pub fn stderr(self, text: &str) -> Self {
        self.step(Step::Stderr(text.into()))
    }

    /// Writes `bytes` bytes to standard error, in lines.
    #[must_use]
    pub fn flood_stderr(self, bytes: usize) -> Self {
        self.step(Step::FloodStderr(bytes))
    }

    /// From here on SIGTERM has no effect.
    #[must_use]
    pub fn ignore_term(self) -> Self {
        self.step(Step::IgnoreTerm)
    }

    /// Starts a process that outlives the CLI and holds its output open, for ten minutes at most.
    ///
    /// Needs a process: see [`ScriptedProgram`](crate::ScriptedProgram).
    #[must_use]
    pub fn grandchild(self) -> Self {
        self.step(Step::Grandchild)
    }

    /// Exits with `code`, whatever the input does.
    #[must_use]
    pub fn exit(self, code: i32) -> Self {
        self.step(Step::Exit(code))
    }

    /// Dies by a signal: 9 is SIGKILL, 11 is SIGSEGV.
    #[must_use]
    pub fn die_by_signal(self, signal: i32) -> Self {
        self.step(Step::DieBySignal(signal))
    }

    /// Goes on for ever without reading, also after the end of its input.
    #[must_use]
    pub fn hang(self) -> Self {
        self.step(Step::Hang)
    }
}
