//! The description of a resource for clients.

use std::any::Any;
use std::borrow::Cow;

use schemars::JsonSchema;
use serde_json::{Map, Value, json};

use crate::ask::Form;
use crate::completion::Completer;
use crate::protocol::{Annotations, Icon, Role};
use crate::schema::InputSchema;
use crate::server::cache::Cache;
use crate::server::state::RequiredState;

/// The URI, name and description of a resource or of a [resource template](ResourceSpec::new).
///
/// `#[resource]` creates it from the function. Create it yourself for resources made at run time.
#[derive(Clone, Debug)]
pub struct ResourceSpec {
    pub(crate) uri: Cow<'static, str>,
    pub(crate) name: Cow<'static, str>,
    pub(crate) description: Cow<'static, str>,
    pub(crate) title: Option<Cow<'static, str>>,
    pub(crate) mime_type: Option<Cow<'static, str>>,
    pub(crate) size: Option<u64>,
    pub(crate) annotations: Option<Annotations>,
    pub(crate) icons: Vec<Icon>,
    pub(crate) meta: Map<String, Value>,
    /// The schema of the variables. `None`: every variable is text.
    pub(crate) input: Option<InputSchema>,
    pub(crate) completers: Vec<(String, Completer)>,
    pub(crate) needs: Vec<RequiredState>,
    pub(crate) forms: Vec<Form>,
    pub(crate) cache: Option<Cache>,
}

impl ResourceSpec {
    /// Creates the spec of the resource at `uri`. A URI with variables, such as `notes://{id}`, is a resource template.
    pub fn new(
        uri: impl Into<Cow<'static, str>>,
        name: impl Into<Cow<'static, str>>,
        description: impl Into<Cow<'static, str>>,
    ) -> ResourceSpec {
        ResourceSpec {
            uri: uri.into(),
            name: name.into(),
            description: description.into(),
            title: None,
            mime_type: None,
            size: None,
            annotations: None,
            icons: Vec::new(),
            meta: Map::new(),
            input: None,
            completers: Vec::new(),
            needs: Vec::new(),
            forms: Vec::new(),
            cache: None,
        }
    }

    /// Returns the URI or the URI template.
    pub fn uri(&self) -> &str {
        &self.uri
    }

    /// Returns the name, for programs. The display name is the [title](ResourceSpec::title).
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the description of the resource.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// Sets the variables of the template to the fields of `T`. Variables that are enums are completed automatically.
    #[must_use]
    pub fn input<T: JsonSchema>(mut self) -> ResourceSpec {
        let input = InputSchema::of::<T>();
        let names = input.as_json()["properties"].as_object().into_iter().flat_map(Map::keys);
        self.completers.extend(names.filter_map(|name| Some((name.clone(), Completer::among(input.choices(name))?))));
        self.input = Some(input);
        self
    }

    /// Sets the display name.
    #[must_use]
    pub fn title(mut self, title: impl Into<Cow<'static, str>>) -> ResourceSpec {
        self.title = Some(title.into());
        self
    }

    /// Sets the MIME type.
    #[must_use]
    pub fn mime_type(mut self, mime_type: impl Into<Cow<'static, str>>) -> ResourceSpec {
        self.mime_type = Some(mime_type.into());
        self
    }

    /// Sets the size in bytes.
    #[must_use]
    pub fn size(mut self, bytes: u64) -> ResourceSpec {
        self.size = Some(bytes);
        self
    }

    /// Sets the annotations: audience, priority and time of the last modification.
    #[must_use]
    pub fn annotations(mut self, annotations: Annotations) -> ResourceSpec {
        self.annotations = Some(annotations);
        self
    }

    /// Sets the intended audience.
    #[must_use]
    pub fn audience(mut self, audience: impl IntoIterator<Item = Role>) -> ResourceSpec {
        self.annotations.get_or_insert_default().audience = audience.into_iter().collect();
        self
    }

    /// Sets the priority, from 0 (entirely optional) to 1 (required).
    #[must_use]
    pub fn priority(mut self, priority: f64) -> ResourceSpec {
        self.annotations.get_or_insert_default().priority = Some(priority);
        self
    }

    /// Adds an icon.
    #[must_use]
    pub fn icon(mut self, icon: Icon) -> ResourceSpec {
        self.icons.push(icon);
        self
    }

    /// Sets how long clients may cache the contents. Overrides [`Builder::cache_reads`](crate::Builder::cache_reads).
    #[must_use]
    pub fn cache(mut self, cache: Cache) -> ResourceSpec {
        self.cache = Some(cache);
        self
    }

    /// Adds a `_meta` entry.
    #[must_use]
    pub fn meta(mut self, key: impl Into<String>, value: impl Into<Value>) -> ResourceSpec {
        self.meta.insert(key.into(), value.into());
        self
    }

    /// Sets the completer for a variable.
    #[must_use]
    pub fn complete(mut self, variable: impl Into<String>, completer: Completer) -> ResourceSpec {
        self.completers.insert(0, (variable.into(), completer));
        self
    }

    /// Declares that the resource borrows a `T`. The server must have one: see [`Builder::state`](crate::Builder::state).
    #[must_use]
    pub fn needs<T: Any + Send + Sync>(mut self) -> ResourceSpec {
        self.needs.push(RequiredState::of::<T>());
        self
    }

    /// Declares that the resource shows users a form with the fields of `T`, so that the form is checked when the server is
    /// built. A form that is not declared is checked when the user is asked.
    #[must_use]
    pub fn asks<T: JsonSchema>(mut self) -> ResourceSpec {
        self.forms.push(Form::of::<T>());
        self
    }

    /// Returns the schema of the variables.
    pub(crate) fn schema<'a>(&self, variables: impl Iterator<Item = &'a str>) -> InputSchema {
        let text = || {
            let properties: Map<_, _> = variables.map(|name| (name.to_owned(), json!({"type": "string"}))).collect();
            json!({"type": "object", "properties": properties})
        };
        self.input.clone().unwrap_or_else(|| InputSchema::from_json(text()))
    }
}
