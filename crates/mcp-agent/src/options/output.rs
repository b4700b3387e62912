//! Options of the output: which messages, structured output, debug logs.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde_json::{Map, Value};

use crate::agent::Agent;
use crate::structured;
use crate::unread::Unread;

/// Options of the output: which messages, structured output, debug logs.
#[derive(Debug, Clone, Default)]
pub(crate) struct OutputOptions {
    pub(crate) partial_messages: bool,
    pub(crate) hook_events: bool,
    pub(crate) replay_prompts: bool,
    pub(crate) schema: Option<Map<String, Value>>,
    pub(crate) unread: Unread,
    pub(crate) debug: bool,
    pub(crate) debug_file: Option<PathBuf>,
}

/// # Output
impl Agent {
    /// Also yields partial messages while the model writes, as [`Message::Stream`](crate::Message::Stream). Off by
    /// default.
    #[must_use]
    pub fn partial_messages(mut self, on: bool) -> Self {
        self.options.output.partial_messages = on;
        self
    }

    /// Sets what happens to messages that the program does not read. By default up to 16 MiB wait in memory, and then up to 1
    /// GiB in a temporary file.
    #[must_use]
    pub fn unread(mut self, unread: Unread) -> Self {
        self.options.output.unread = unread;
        self
    }

    /// Yields messages when hooks of the settings run. Off by default.
    #[must_use]
    pub fn hook_events(mut self, on: bool) -> Self {
        self.options.output.hook_events = on;
        self
    }

    /// Yields prompts as messages when the CLI processes them. Off by default.
    #[must_use]
    pub fn replay_prompts(mut self, on: bool) -> Self {
        self.options.output.replay_prompts = on;
        self
    }

    /// Requests structured output that matches this JSON Schema (draft 7), with an object at its root. It is returned
    /// as [`structured_output`](crate::message::TurnResult::structured_output) of the result.
    ///
    /// A turn that succeeds without structured output then fails with
    /// [`TurnFailure::NoStructuredOutput`](crate::TurnFailure::NoStructuredOutput).
    #[must_use]
    pub fn output_schema(mut self, schema: Map<String, Value>) -> Self {
        self.options.output.schema = Some(structured::acceptable(schema));
        self
    }

    /// Requests structured output of type `T`. A type that is not an object is wrapped in an object with the property
    /// `value`.
    #[must_use]
    pub fn output_of<T: JsonSchema>(self) -> Self {
        self.output_schema(structured::schema_of::<T>())
    }

    /// Makes the CLI write debug logs to a file in `~/.claude/debug`, named after the session. Off by default.
    #[must_use]
    pub fn debug(mut self, on: bool) -> Self {
        self.options.output.debug = on;
        self
    }

    /// Makes the CLI write debug logs to this file.
    #[must_use]
    pub fn debug_file(mut self, path: impl Into<PathBuf>) -> Self {
        self.options.output.debug_file = Some(path.into());
        self
    }
}
