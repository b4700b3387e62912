//! The description of a tool for clients.

use std::any::Any;
use std::borrow::Cow;
use std::time::Duration;

use schemars::JsonSchema;
use serde_json::{Map, Value};

use crate::ask::Form;
use crate::protocol::{Icon, ToolAnnotations};
use crate::schema::{InputSchema, OutputSchema};
use crate::server::state::RequiredState;
use crate::task::TaskSupport;
use crate::tool::requirement::Requirement;

/// The name, description, schemas, annotations and settings of a tool.
///
/// `#[tool]` creates it from the function. Create it yourself for tools made at run time.
///
/// ```
/// use mcp_core::ToolSpec;
/// use serde_json::json;
///
/// let spec = ToolSpec::new("greet", "Greet somebody.")
///     .input_schema(json!({"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}))
///     .read_only(true);
/// # let _ = spec;
/// ```
#[derive(Clone, Debug)]
pub struct ToolSpec {
    pub(crate) name: Cow<'static, str>,
    pub(crate) description: Cow<'static, str>,
    pub(crate) title: Option<Cow<'static, str>>,
    pub(crate) annotations: ToolAnnotations,
    pub(crate) icons: Vec<Icon>,
    pub(crate) input: InputSchema,
    pub(crate) output: Option<OutputSchema>,
    pub(crate) meta: Map<String, Value>,
    pub(crate) timeout: Option<Duration>,
    pub(crate) max_output: Option<usize>,
    pub(crate) task_support: TaskSupport,
    pub(crate) scopes: Vec<Cow<'static, str>>,
    pub(crate) asks_first: bool,
    pub(crate) requires: Vec<Requirement>,
    pub(crate) needs: Vec<RequiredState>,
    pub(crate) forms: Vec<Form>,
}

impl ToolSpec {
    /// Creates the spec of a tool without arguments. The other methods add to it.
    pub fn new(name: impl Into<Cow<'static, str>>, description: impl Into<Cow<'static, str>>) -> ToolSpec {
        ToolSpec {
            name: name.into(),
            description: description.into(),
            title: None,
            annotations: ToolAnnotations::default(),
            icons: Vec::new(),
            input: InputSchema::empty(),
            output: None,
            meta: Map::new(),
            timeout: None,
            max_output: None,
            task_support: TaskSupport::default(),
            scopes: Vec::new(),
            asks_first: false,
            requires: Vec::new(),
            needs: Vec::new(),
            forms: Vec::new(),
        }
    }

    /// Returns the name of the tool.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the description of the tool.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// Sets the input schema to the schema of `T`: the arguments are the fields of `T`.
    #[must_use]
    pub fn input<T: JsonSchema>(mut self) -> ToolSpec {
        self.input = InputSchema::of::<T>();
        self
    }

    /// Sets the input schema. It is rewritten where some clients would reject it: see [`InputSchema::from_json`].
    #[must_use]
    pub fn input_schema(mut self, schema: Value) -> ToolSpec {
        self.input = InputSchema::from_json(schema);
        self
    }

    /// Sets the input schema and sends it to clients unchanged: see [`InputSchema::verbatim`].
    #[must_use]
    pub fn verbatim_input_schema(mut self, schema: Value) -> ToolSpec {
        self.input = InputSchema::verbatim(schema);
        self
    }

    /// Rejects arguments that the schema does not declare, unless the schema already has a rule for them.
    ///
    /// Types with `#[serde(deny_unknown_fields)]` need no call of this method. It is for types with a flattened field, which
    /// cannot have that attribute.
    #[must_use]
    pub fn closed(mut self) -> ToolSpec {
        self.input = self.input.closed();
        self
    }

    /// Sets the output schema to the schema of `T`.
    #[must_use]
    pub fn output<T: JsonSchema>(mut self) -> ToolSpec {
        self.output = Some(OutputSchema::of::<T>());
        self
    }

    /// Sets or removes the output schema.
    #[must_use]
    pub fn output_schema(mut self, schema: impl Into<Option<OutputSchema>>) -> ToolSpec {
        self.output = schema.into();
        self
    }

    /// Sets the display name.
    #[must_use]
    pub fn title(mut self, title: impl Into<Cow<'static, str>>) -> ToolSpec {
        self.title = Some(title.into());
        self
    }

    /// Sets `readOnlyHint`: the tool does not modify its environment. Claude Code runs such tools in parallel.
    #[must_use]
    pub fn read_only(mut self, hint: bool) -> ToolSpec {
        self.annotations.read_only_hint = Some(hint);
        self
    }

    /// Sets `destructiveHint`: the tool may delete or overwrite data, not only add to it.
    #[must_use]
    pub fn destructive(mut self, hint: bool) -> ToolSpec {
        self.annotations.destructive_hint = Some(hint);
        self
    }

    /// Sets `idempotentHint`: repeating a call with the same arguments has no further effect.
    #[must_use]
    pub fn idempotent(mut self, hint: bool) -> ToolSpec {
        self.annotations.idempotent_hint = Some(hint);
        self
    }

    /// Sets `openWorldHint`: the tool interacts with external systems, such as the web.
    #[must_use]
    pub fn open_world(mut self, hint: bool) -> ToolSpec {
        self.annotations.open_world_hint = Some(hint);
        self
    }

    /// Adds an icon.
    #[must_use]
    pub fn icon(mut self, icon: Icon) -> ToolSpec {
        self.icons.push(icon);
        self
    }

    /// Sets the timeout: a call that takes longer is cancelled and fails. Without it, calls have no timeout.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> ToolSpec {
        self.timeout = Some(timeout);
        self
    }

    /// Sets the maximum size of a result in bytes. [`Limits::output`](crate::Limits::output) applies too; the smaller one wins.
    /// Longer text is truncated with a note. Structured output that is larger is an error.
    #[must_use]
    pub fn max_output(mut self, bytes: usize) -> ToolSpec {
        self.max_output = Some(bytes);
        self
    }

    /// Tells Claude Code to always load the tool, instead of deferring it to tool search.
    #[must_use]
    pub fn always_load(self, always: bool) -> ToolSpec {
        self.meta("anthropic/alwaysLoad", always)
    }

    /// Tells Claude Code to show the model results of up to this many characters in full, instead of a preview and a file.
    #[must_use]
    pub fn max_result_size(self, characters: u64) -> ToolSpec {
        self.meta("anthropic/maxResultSizeChars", characters)
    }

    /// Adds a `_meta` entry.
    #[must_use]
    pub fn meta(mut self, key: impl Into<String>, value: impl Into<Value>) -> ToolSpec {
        self.meta.insert(key.into(), value.into());
        self
    }

    /// Sets whether the tool may or must run as a task.
    #[must_use]
    pub fn task_support(mut self, support: TaskSupport) -> ToolSpec {
        self.task_support = support;
        self
    }

    /// Adds scopes that a [`Principal`](crate::Principal) must have to call the tool.
    ///
    /// Scopes are checked only for clients that the transport has authenticated. Over standard input and output there is no
    /// principal, and every call is allowed.
    #[must_use]
    pub fn scopes<S: Into<Cow<'static, str>>>(mut self, scopes: impl IntoIterator<Item = S>) -> ToolSpec {
        self.scopes.extend(scopes.into_iter().map(Into::into));
        self
    }

    /// Returns the scopes that a principal must have to call the tool.
    pub fn required_scopes(&self) -> impl Iterator<Item = &str> {
        self.scopes.iter().map(|scope| &**scope)
    }

    /// Sends the questions that the tool asks before its first other wait as a response to the call, and creates the task only
    /// after they are answered.
    ///
    /// Without it, the task is created immediately and its questions are sent through the task. Only stateless revisions make
    /// this distinction.
    #[must_use]
    pub fn asks_first(mut self, first: bool) -> ToolSpec {
        self.asks_first = first;
        self
    }

    /// Adds client capabilities that the tool requires. If the client lacks one, the call fails and the tool does not run.
    ///
    /// In revision 2026-07-28 the response is the error -32021, which names the missing capabilities. In older revisions it is a
    /// tool result with `isError`. A tool that works without the capability does not declare it; it asks, and handles the
    /// [`AskError`](crate::AskError).
    #[must_use]
    pub fn requires(mut self, requirements: impl IntoIterator<Item = Requirement>) -> ToolSpec {
        self.requires.extend(requirements);
        self
    }

    /// Declares that the tool borrows a `T`. The server must have one: see [`Builder::state`](crate::Builder::state).
    #[must_use]
    pub fn needs<T: Any + Send + Sync>(mut self) -> ToolSpec {
        self.needs.push(RequiredState::of::<T>());
        self
    }

    /// Declares that the tool shows users a form with the fields of `T`, so that the form is checked when the server is built.
    /// A form that is not declared is checked when the user is asked.
    #[must_use]
    pub fn asks<T: JsonSchema>(mut self) -> ToolSpec {
        self.forms.push(Form::of::<T>());
        self
    }

    /// Changes the name.
    #[must_use]
    pub fn renamed(mut self, name: impl Into<Cow<'static, str>>) -> ToolSpec {
        self.name = name.into();
        self
    }
}
