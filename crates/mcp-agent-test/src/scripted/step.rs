//! The steps of a script, as data.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One step of a scripted CLI.
///
/// The methods of [`Script`](crate::Script) add steps and document them. In JSON a step is an object with one key, for
/// instance `{"emit": {"type": "keep_alive"}}` or `{"exit": 3}`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
#[non_exhaustive]
pub enum Step {
    /// Writes a frame as one line.
    Emit(Value),
    /// Writes bytes unchanged.
    Raw(Vec<u8>),
    /// Waits for a line that matches.
    Expect {
        /// The name by which later steps refer to the line.
        #[serde(rename = "as", default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
        /// The pattern that the line must match.
        frame: Value,
    },
    /// Waits for the end of the input.
    WaitForEof,
    /// Pauses for this many milliseconds.
    Sleep(u64),
    /// Writes text to standard error.
    Stderr(String),
    /// Writes this many bytes to standard error.
    FloodStderr(usize),
    /// Ignores SIGTERM from this step on.
    IgnoreTerm,
    /// Starts a process that keeps standard output and standard error open.
    Grandchild,
    /// Exits with this code.
    Exit(i32),
    /// Ends by this signal.
    DieBySignal(i32),
    /// Runs forever without reading.
    Hang,
}
