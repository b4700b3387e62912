//! The description of a prompt for clients.

use std::any::Any;
use std::borrow::Cow;

use schemars::JsonSchema;
use serde_json::{Map, Value, json};

use crate::ask::Form;
use crate::completion::Completer;
use crate::prompt::PromptArgument;
use crate::protocol::Icon;
use crate::schema::InputSchema;
use crate::server::state::RequiredState;

/// The name, description and arguments of a prompt.
///
/// `#[prompt]` creates it from the function. Create it yourself for prompts made at run time.
#[derive(Clone, Debug)]
pub struct PromptSpec {
    pub(crate) name: Cow<'static, str>,
    pub(crate) description: Cow<'static, str>,
    pub(crate) title: Option<Cow<'static, str>>,
    pub(crate) arguments: Vec<PromptArgument>,
    /// The schema of the arguments. `None`: every argument is text.
    pub(crate) input: Option<InputSchema>,
    pub(crate) icons: Vec<Icon>,
    pub(crate) meta: Map<String, Value>,
    pub(crate) needs: Vec<RequiredState>,
    pub(crate) forms: Vec<Form>,
}

impl PromptSpec {
    /// Creates the spec of a prompt without arguments. The other methods add to it.
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

    /// Returns the name of the prompt.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the description of the prompt.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// Adds a text argument.
    #[must_use]
    pub fn argument(mut self, argument: PromptArgument) -> PromptSpec {
        self.arguments.push(argument);
        self
    }

    /// Sets the arguments to the fields of `T`, listed in this order. Arguments that are enums are completed automatically.
    #[must_use]
    pub fn input<T: JsonSchema>(mut self, order: &[&str]) -> PromptSpec {
        let input = InputSchema::of::<T>();
        self.arguments = arguments_of(&input, order);
        self.input = Some(input);
        self
    }

    /// Rejects arguments that the schema does not declare, unless the schema already has a rule for them.
    ///
    /// Types with `#[serde(deny_unknown_fields)]` need no call of this method. It is for types with a flattened field, which
    /// cannot have that attribute.
    #[must_use]
    pub fn closed(mut self) -> PromptSpec {
        self.input = self.input.map(InputSchema::closed);
        self
    }

    /// Sets the display name.
    #[must_use]
    pub fn title(mut self, title: impl Into<Cow<'static, str>>) -> PromptSpec {
        self.title = Some(title.into());
        self
    }

    /// Adds an icon.
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

    /// Sets the completer for an argument.
    #[must_use]
    pub fn complete(mut self, argument: &str, completer: Completer) -> PromptSpec {
        for known in self.arguments.iter_mut().filter(|known| known.name == argument) {
            known.completer = Some(completer.clone());
        }
        self
    }

    /// Declares that the prompt borrows a `T`. The server must have one: see [`Builder::state`](crate::Builder::state).
    #[must_use]
    pub fn needs<T: Any + Send + Sync>(mut self) -> PromptSpec {
        self.needs.push(RequiredState::of::<T>());
        self
    }

    /// Declares that the prompt shows users a form with the fields of `T`, so that the form is checked when the server is built.
    /// A form that is not declared is checked when the user is asked.
    #[must_use]
    pub fn asks<T: JsonSchema>(mut self) -> PromptSpec {
        self.forms.push(Form::of::<T>());
        self
    }

    /// Returns the schema of the arguments.
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

/// Returns the arguments that a schema describes, first those in `order`, in that order.
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
