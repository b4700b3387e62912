//! The steps of a script, as data.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One thing that a scripted CLI does.
///
/// Written by [`Script`](crate::Script), whose methods say what each step means; in a file a step is an object with one
/// key, for instance `{"emit": {"type": "keep_alive"}}` or `{"exit": 3}`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
#[non_exhaustive]
pub enum Step {
    /// Writes a frame on a line of its own.
    Emit(Value),
    /// Writes bytes as they are.
    Raw(Vec<u8>),
    /// Waits for a line that matches.
    Expect {
        /// The name under which later steps refer to the line.
        #[serde(rename = "as", default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
        /// What the line must contain.
        frame: Value,
    },
    /// Waits for the end of the input.
    WaitForEof,
    /// Waits, in milliseconds.
    Sleep(u64),
    /// Writes text to standard error.
    Stderr(String),
    /// Writes this many bytes to standard error.
    FloodStderr(usize),
    /// From here on SIGTERM has no effect.
    IgnoreTerm,
    /// Starts a process that holds standard output and standard error open.
    Grandchild,
    /// Ends with an exit code.
    Exit(i32),
    /// Ends by a signal.
    DieBySignal(i32),
    /// Never ends and never reads again.
    Hang,
}
