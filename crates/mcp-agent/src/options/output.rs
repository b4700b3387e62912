//! What the CLI tells, and in what form.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde_json::{Map, Value};

use crate::agent::Agent;
use crate::structured;

/// What the CLI tells, and in what form.
#[derive(Debug, Clone, Default)]
pub(crate) struct OutputOptions {
    pub(crate) partial_messages: bool,
    pub(crate) hook_events: bool,
    pub(crate) replay_prompts: bool,
    pub(crate) schema: Option<Map<String, Value>>,
    pub(crate) debug: bool,
    pub(crate) debug_file: Option<PathBuf>,
}

/// Output
impl Agent {
    /// Gives answers piece by piece too, as [`Message::Stream`](crate::Message::Stream). Off by default.
    #[must_use]
    pub fn partial_messages(mut self, on: bool) -> Self {
        self.options.output.partial_messages = on;
        self
    }

    /// Tells when hooks of the settings run. Off by default.
    #[must_use]
    pub fn hook_events(mut self, on: bool) -> Self {
        self.options.output.hook_events = on;
        self
    }

    /// Gives prompts back when they are taken. Off by default.
    #[must_use]
    pub fn replay_prompts(mut self, on: bool) -> Self {
        self.options.output.replay_prompts = on;
        self
    }

    /// Asks for an answer of this schema (draft 7), an object at its root; it is the result's
    /// [`structured_output`](crate::message::TurnResult::structured_output).
    ///
    /// A turn that ends well without one then fails with
    /// [`TurnFailure::NoStructuredOutput`](crate::TurnFailure::NoStructuredOutput).
    #[must_use]
    pub fn output_schema(mut self, schema: Map<String, Value>) -> Self {
        self.options.output.schema = Some(structured::acceptable(schema));
        self
    }

    /// Asks for an answer that is a `T`. One that is not an object comes as the property `value` of one.
    #[must_use]
    pub fn output_of<T: JsonSchema>(self) -> Self {
        self.output_schema(structured::schema_of::<T>())
    }

    /// Lets the CLI write what it does to its standard error. Off by default.
    #[must_use]
    pub fn debug(mut self, on: bool) -> Self {
        self.options.output.debug = on;
        self
    }

    /// Lets the CLI write what it does to a file.
    #[must_use]
    pub fn debug_file(mut self, path: impl Into<PathBuf>) -> Self {
        self.options.output.debug_file = Some(path.into());
        self
    }
}
