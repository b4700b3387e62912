//! What a server tells its clients about a tool.

use std::any::Any;
use std::borrow::Cow;
use std::time::Duration;

use schemars::JsonSchema;
use serde_json::{Map, Value};

use crate::ask::Form;
use crate::protocol::{Icon, ToolAnnotations};
use crate::schema::{InputSchema, OutputSchema};
use crate::server::state::Needed;
use crate::task::TaskSupport;
use crate::tool::requirement::Requirement;

/// A tool's name, description, schemas and hints.
///
/// `#[tool]` writes it from the function; write it yourself for tools made at run time.
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
    pub(crate) needs: Vec<Needed>,
    pub(crate) forms: Vec<Form>,
}

impl ToolSpec {
    /// A tool without arguments, until you say otherwise.
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

    /// The name under which it is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it does.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// Its arguments are the fields of `T`.
    #[must_use]
    pub fn input<T: JsonSchema>(mut self) -> ToolSpec {
        self.input = InputSchema::of::<T>();
        self
    }

    /// Its arguments are what this JSON Schema allows.
    #[must_use]
    pub fn input_schema(mut self, schema: Value) -> ToolSpec {
        self.input = InputSchema::from_json(schema);
        self
    }

    /// Its arguments are what this JSON Schema allows, which clients see word for word: see [`InputSchema::verbatim`].
    #[must_use]
    pub fn verbatim_input_schema(mut self, schema: Value) -> ToolSpec {
        self.input = InputSchema::verbatim(schema);
        self
    }

    /// Arguments that its schema does not name are refused, unless the schema says already what becomes of them.
    ///
    /// Types with `#[serde(deny_unknown_fields)]` do so by themselves; this is for those with a flattened field, which cannot.
    #[must_use]
    pub fn closed(mut self) -> ToolSpec {
        self.input = self.input.closed();
        self
    }

    /// Its structured output is a `T`.
    #[must_use]
    pub fn output<T: JsonSchema>(mut self) -> ToolSpec {
        self.output = Some(OutputSchema::of::<T>());
        self
    }

    /// Its structured output is what this schema says.
    #[must_use]
    pub fn output_schema(mut self, schema: impl Into<Option<OutputSchema>>) -> ToolSpec {
        self.output = schema.into();
        self
    }

    /// Its name for people.
    #[must_use]
    pub fn title(mut self, title: impl Into<Cow<'static, str>>) -> ToolSpec {
        self.title = Some(title.into());
        self
    }

    /// It changes nothing. Claude Code runs such tools in parallel.
    #[must_use]
    pub fn read_only(mut self, hint: bool) -> ToolSpec {
        self.annotations.read_only_hint = Some(hint);
        self
    }

    /// It may destroy, not only add.
    #[must_use]
    pub fn destructive(mut self, hint: bool) -> ToolSpec {
        self.annotations.destructive_hint = Some(hint);
        self
    }

    /// ToolFuture it twice is as good as once.
    #[must_use]
    pub fn idempotent(mut self, hint: bool) -> ToolSpec {
        self.annotations.idempotent_hint = Some(hint);
        self
    }

    /// It reaches beyond a closed world, such as the web.
    #[must_use]
    pub fn open_world(mut self, hint: bool) -> ToolSpec {
        self.annotations.open_world_hint = Some(hint);
        self
    }

    /// Adds a picture.
    #[must_use]
    pub fn icon(mut self, icon: Icon) -> ToolSpec {
        self.icons.push(icon);
        self
    }

    /// A call that takes longer is cancelled and answered with an error. There is no limit unless you set one.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> ToolSpec {
        self.timeout = Some(timeout);
        self
    }

    /// How many bytes a result of this tool may have, where that is less than [`Limits::output`](crate::Limits::output): text
    /// is cut there with a note, structured output over it is an error.
    #[must_use]
    pub fn max_output(mut self, bytes: usize) -> ToolSpec {
        self.max_output = Some(bytes);
        self
    }

    /// Claude Code always shows the tool to the model, instead of hiding it behind its tool search.
    #[must_use]
    pub fn always_load(self, always: bool) -> ToolSpec {
        self.meta("anthropic/alwaysLoad", always)
    }

    /// Claude Code keeps results of up to this many characters whole, instead of showing the model a preview and a file.
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

    /// Whether it may run as a task.
    #[must_use]
    pub fn task_support(mut self, support: TaskSupport) -> ToolSpec {
        self.task_support = support;
        self
    }

    /// A [`Principal`](crate::Principal) without all of these scopes may not call it.
    ///
    /// They bind clients that a transport has authenticated. Where nobody is, as over standard input, there is nobody to bind.
    #[must_use]
    pub fn scopes<S: Into<Cow<'static, str>>>(mut self, scopes: impl IntoIterator<Item = S>) -> ToolSpec {
        self.scopes.extend(scopes.into_iter().map(Into::into));
        self
    }

    /// The scopes that a principal needs to call it.
    pub fn required_scopes(&self) -> impl Iterator<Item = &str> {
        self.scopes.iter().map(|scope| &**scope)
    }

    /// A task begins only after the questions that come before its first wait: they are asked in answer to the call.
    ///
    /// Without it the call is a task from its start, and whatever it asks is asked by the task. Clients with a handshake know
    /// no difference.
    #[must_use]
    pub fn asks_first(mut self, first: bool) -> ToolSpec {
        self.asks_first = first;
        self
    }

    /// It cannot do without these: a client that lacks one is told so, and the tool does not run.
    ///
    /// In 2026-07-28 the call is answered with -32021, which names what is missing; before, with a result that says so. A tool
    /// that can do without asks, and handles the [`AskError`](crate::AskError).
    #[must_use]
    pub fn requires(mut self, requirements: impl IntoIterator<Item = Requirement>) -> ToolSpec {
        self.requires.extend(requirements);
        self
    }

    /// It borrows a `T`, which must be given to [`Builder::state`](crate::Builder::state).
    #[must_use]
    pub fn needs<T: Any + Send + Sync>(mut self) -> ToolSpec {
        self.needs.push(Needed::of::<T>());
        self
    }

    /// Declares that it shows users a form with the fields of `T`, so that the form is checked when the server is built.
    /// A form that is not declared is checked when it is asked.
    #[must_use]
    pub fn asks<T: JsonSchema>(mut self) -> ToolSpec {
        self.forms.push(Form::of::<T>());
        self
    }

    /// The same tool under another name.
    #[must_use]
    pub fn renamed(mut self, name: impl Into<Cow<'static, str>>) -> ToolSpec {
        self.name = name.into();
        self
    }
}
