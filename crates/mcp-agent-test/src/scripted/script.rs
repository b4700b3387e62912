//! The builder of scripts.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::frames;
use super::step::Step;

/// The steps of a scripted CLI: lines that it writes, and lines that it waits for.
///
/// Steps run in order. Received lines are kept until an `expect` step takes them, so the order in which the prompt and the
/// `initialize` request arrive does not matter. In frames and responses, a string `$name/pointer` is replaced by the value
/// at the JSON pointer `/pointer` in the line that was expected under that name. After the last step the CLI waits for the
/// end of its input and exits with 0, as the real CLI does.
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
///     .text("done")
///     .result("done");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Script {
    steps: Vec<Step>,
}

impl Script {
    /// Creates a script without steps.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the steps.
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

    /// Writes a line, which may be invalid JSON.
    #[must_use]
    pub fn line(self, line: &str) -> Self {
        self.raw(format!("{line}\n"))
    }

    /// Writes bytes unchanged, for instance half a line, two lines at once or invalid UTF-8.
    #[must_use]
    pub fn raw(self, bytes: impl Into<Vec<u8>>) -> Self {
        self.step(Step::Raw(bytes.into()))
    }

    /// Waits for a line that matches `frame`. Objects in the line may have more keys; all other values must be equal.
    ///
    /// If the input ends before, the CLI writes an error to standard error and exits with 97.
    #[must_use]
    pub fn expect(self, frame: Value) -> Self {
        self.step(Step::Expect { name: None, frame })
    }

    /// Waits as [`expect`](Self::expect) does, and names the line so that later steps can refer to it.
    #[must_use]
    pub fn expect_as(self, name: &str, frame: Value) -> Self {
        self.step(Step::Expect { name: Some(name.into()), frame })
    }

    /// Responds to the control request that was expected under `name`.
    #[must_use]
    pub fn reply(self, name: &str, response: Value) -> Self {
        self.emit(frames::success(&format!("${name}/request_id"), response))
    }

    /// Responds with an error to the control request that was expected under `name`.
    #[must_use]
    pub fn reply_error(self, name: &str, error: &str) -> Self {
        self.emit(frames::failure(&format!("${name}/request_id"), error))
    }

    /// Sends a control request whose id is `id`.
    #[must_use]
    pub fn send_request(self, id: &str, request: Value) -> Self {
        self.emit(json!({"type": "control_request", "request_id": id, "request": request}))
    }

    /// Waits for the response to the request `id`. Later steps can refer to it as `id`.
    #[must_use]
    pub fn expect_response(self, id: &str) -> Self {
        self.expect_as(id, json!({"type": "control_response", "response": {"request_id": id}}))
    }

    /// Waits for the `initialize` request and responds to it.
    #[must_use]
    pub fn initialize(self) -> Self {
        let request = json!({"type": "control_request", "request": {"subtype": "initialize"}});
        self.expect_as("initialize", request).reply("initialize", frames::initialized())
    }

    /// Waits for a prompt and starts the turn with an `init` message, as the real CLI does.
    #[must_use]
    pub fn prompt(self) -> Self {
        self.expect_as("prompt", json!({"type": "user"})).emit(frames::init())
    }

    /// Sends a text as an assistant message with one block.
    #[must_use]
    pub fn text(self, text: &str) -> Self {
        self.emit(frames::assistant(json!({"type": "text", "text": text})))
    }

    /// Ends the turn with a successful result.
    #[must_use]
    pub fn result(self, text: &str) -> Self {
        self.emit(frames::result(text))
    }

    /// Reports the session as running. The run then ends at [`idle`](Self::idle) instead of at the result.
    #[must_use]
    pub fn running(self) -> Self {
        self.emit(frames::state("running"))
    }

    /// Reports the session as idle, which ends the run.
    #[must_use]
    pub fn idle(self) -> Self {
        self.emit(frames::state("idle"))
    }

    /// Waits for the end of the input.
    #[must_use]
    pub fn wait_for_eof(self) -> Self {
        self.step(Step::WaitForEof)
    }

    /// Pauses the script. Use it only to test timeouts; to wait for the other side, use [`expect`](Self::expect).
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

    /// Ignores SIGTERM from this step on.
    #[must_use]
    pub fn ignore_term(self) -> Self {
        self.step(Step::IgnoreTerm)
    }

    /// Starts a process that outlives the CLI and keeps its output open, for at most ten minutes.
    ///
    /// Works only in a [`ScriptedProgram`](crate::ScriptedProgram).
    #[must_use]
    pub fn grandchild(self) -> Self {
        self.step(Step::Grandchild)
    }

    /// Exits with `code` without waiting for the end of the input.
    #[must_use]
    pub fn exit(self, code: i32) -> Self {
        self.step(Step::Exit(code))
    }

    /// Ends by a signal: 9 is SIGKILL, 11 is SIGSEGV.
    #[must_use]
    pub fn die_by_signal(self, signal: i32) -> Self {
        self.step(Step::DieBySignal(signal))
    }

    /// Runs forever without reading its input, even after the end of the input.
    #[must_use]
    pub fn hang(self) -> Self {
        self.step(Step::Hang)
    }
}
