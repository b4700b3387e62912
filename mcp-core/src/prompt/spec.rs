//! What a server tells its clients about a prompt.

use std::any::Any;
use std::borrow::Cow;

use schemars::JsonSchema;
use serde_json::{Map, Value, json};

use crate::ask::Form;
use crate::completion::Completer;
use crate::prompt::PromptArgument;
use crate::protocol::Icon;
use crate::schema::InputSchema;
use crate::server::state::Needed;

/// A prompt's name, description and arguments.
///
/// `#[prompt]` writes it from the function; write it yourself for prompts made at run time.
#[derive(Clone, Debug)]
pub struct PromptSpec {
    pub(crate) name: Cow<'static, str>,
    pub(crate) description: Cow<'static, str>,
    pub(crate) title: Option<Cow<'static, str>>,
    pub(crate) arguments: Vec<PromptArgument>,
    /// What the arguments must be, if that is more than text.
    pub(crate) input: Option<InputSchema>,
    pub(crate) icons: Vec<Icon>,
    pub(crate) meta: Map<String, Value>,
    pub(crate) needs: Vec<Needed>,
    pub(crate) forms: Vec<Form>,
}

impl PromptSpec {
    /// A prompt without arguments, until you say otherwise.
    pub fn new(name: impl Into<Cow<'static, str>>, description: impl Into<Cow<'static, str>>) -> PromptSpec {
        PromptSpec {
            name: name.into(),
            description: description.into(),
            title: None,
            arguments: Vec::new(),
            input: None,
            icons: Vec::new(),
            meta: Map::new(),
            needs: Vec::new(),
            forms: Vec::new(),
        }
    }

    /// The name under which it is asked for.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it is for.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// Adds an argument, which is text.
    #[must_use]
    pub fn argument(mut self, argument: PromptArgument) -> PromptSpec {
        self.arguments.push(argument);
        self
    }

    /// Its arguments are the fields of `T`, shown in this order. Those that are enums complete by themselves.
    #[must_use]
    pub fn input<T: JsonSchema>(mut self, order: &[&str]) -> PromptSpec {
        let input = InputSchema::of::<T>();
        self.arguments = arguments_of(&input, order);
        self.input = Some(input);
        self
    }

    /// Arguments that its schema does not name are refused, unless the schema says already what becomes of that.
    ///
    /// Types with `#[serde(deny_unknown_fields)]` do so by themselves; this is for those with a flattened field, which cannot.
    #[must_use]
    pub fn closed(mut self) -> PromptSpec {
        self.input = self.input.map(InputSchema::closed);
        self
    }

    /// Its name for people.
    #[must_use]
    pub fn title(mut self, title: impl Into<Cow<'static, str>>) -> PromptSpec {
        self.title = Some(title.into());
        self
    }

    /// Adds a picture.
    #[must_use]
    pub fn icon(mut self, icon: Icon) -> PromptSpec {
        self.icons.push(icon);
        self
    }

    /// Adds a `_meta` entry.
    #[must_use]
    pub fn meta(mut self, key: impl Into<String>, value: impl Into<Value>) -> PromptSpec {
        self.meta.insert(key.into(), value.into());
        self
    }

    /// Suggests how an argument may go on.
    #[must_use]
    pub fn complete(mut self, argument: &str, completer: Completer) -> PromptSpec {
        for known in self.arguments.iter_mut().filter(|known| known.name == argument) {
            known.completer = Some(completer.clone());
        }
        self
    }

    /// It borrows a `T`, which must be given to [`Builder::state`](crate::Builder::state).
    #[must_use]
    pub fn needs<T: Any + Send + Sync>(mut self) -> PromptSpec {
        self.needs.push(Needed::of::<T>());
        self
    }

    /// Declares that it shows users a form with the fields of `T`, so that the form is checked when the server is built.
    /// A form that is not declared is checked when it is asked.
    #[must_use]
    pub fn asks<T: JsonSchema>(mut self) -> PromptSpec {
        self.forms.push(Form::of::<T>());
        self
    }

    /// What the arguments must be.
    pub(crate) fn schema(&self) -> InputSchema {
        let text = || {
            let properties: Map<_, _> =
                self.arguments.iter().map(|one| (one.name.clone(), json!({"type": "string"}))).collect();
            let required: Vec<_> = self.arguments.iter().filter(|one| one.required).map(|one| one.name.as_str()).collect();
            json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
        };
        self.input.clone().unwrap_or_else(|| InputSchema::from_json(text()))
    }
}

/// The arguments that a schema describes, those named in `order` first.
fn arguments_of(input: &InputSchema, order: &[&str]) -> Vec<PromptArgument> {
    let schema = input.as_json();
    let Some(properties) = schema["properties"].as_object() else {
        return Vec::new();
    };
    let required = |name: &str| schema["required"].as_array().is_some_and(|names| names.iter().any(|one| one == name));
    let mut arguments: Vec<PromptArgument> = properties
        .iter()
        .map(|(name, property)| PromptArgument {
            name: name.clone(),
            title: property["title"].as_str().map(str::to_owned),
            description: property["description"].as_str().map(str::to_owned),
            required: required(name),
            completer: Completer::among(input.choices(name)),
        })
        .collect();
    arguments.sort_by_key(|argument| order.iter().position(|name| *name == argument.name).unwrap_or(order.len()));
    arguments
}
