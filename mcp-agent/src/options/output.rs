//! What the CLI tells, and in what form.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde_json::{Map, Value};

use crate::agent::Agent;

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

    /// Asks for an answer of this schema, an object at its root; it is the result's
    /// [`structured_output`](crate::message::TurnResult::structured_output).
    ///
    /// The CLI reads it as draft-07 and refuses keywords that are not of that draft. A turn that ends well without an
    /// output then fails with [`TurnFailure::NoStructuredOutput`](crate::TurnFailure::NoStructuredOutput).
    #[must_use]
    pub fn output_schema(mut self, mut schema: Map<String, Value>) -> Self {
        // A schema that names another draft is dropped by the CLI, without a word.
        schema.remove("$schema");
        self.options.output.schema = Some(schema);
        self
    }

    /// Asks for an answer that is a `T`.
    #[must_use]
    pub fn output_of<T: JsonSchema>(self) -> Self {
        let schema = schemars::generate::SchemaSettings::draft07()
            .into_generator()
            .into_root_schema_for::<T>();
        match schema.to_value() {
            Value::Object(schema) => self.output_schema(schema),
            _ => self,
        }
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
