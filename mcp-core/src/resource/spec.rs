//! What a server tells its clients about a resource.

use std::any::Any;
use std::borrow::Cow;

use schemars::JsonSchema;
use serde_json::{Map, Value, json};

use crate::ask::Form;
use crate::completion::Completer;
use crate::protocol::{Annotations, Icon, Role};
use crate::schema::InputSchema;
use crate::server::cache::Cache;
use crate::server::state::Needed;

/// A resource's address, name and description, or those of all resources of one [template](ResourceSpec::new).
///
/// `#[resource]` writes it from the function; write it yourself for resources made at run time.
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
    /// What the variables must be, if that is more than text.
    pub(crate) input: Option<InputSchema>,
    pub(crate) completers: Vec<(String, Completer)>,
    pub(crate) needs: Vec<Needed>,
    pub(crate) forms: Vec<Form>,
    pub(crate) cache: Option<Cache>,
}

impl ResourceSpec {
    /// The resource at that address; with variables such as `notes://{id}`, all resources of that form.
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

    /// The address or the template.
    pub fn uri(&self) -> &str {
        &self.uri
    }

    /// Its name for programs.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it is.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The variables of its template are the fields of `T`. Those that are enums complete by themselves.
    #[must_use]
    pub fn input<T: JsonSchema>(mut self) -> ResourceSpec {
        let input = InputSchema::of::<T>();
        let names = input.as_json()["properties"].as_object().into_iter().flat_map(Map::keys);
        self.completers.extend(names.filter_map(|name| Some((name.clone(), Completer::among(input.choices(name))?))));
        self.input = Some(input);
        self
    }

    /// Its name for people.
    #[must_use]
    pub fn title(mut self, title: impl Into<Cow<'static, str>>) -> ResourceSpec {
        self.title = Some(title.into());
        self
    }

    /// What kind of file it is.
    #[must_use]
    pub fn mime_type(mut self, mime_type: impl Into<Cow<'static, str>>) -> ResourceSpec {
        self.mime_type = Some(mime_type.into());
        self
    }

    /// Its size in bytes.
    #[must_use]
    pub fn size(mut self, bytes: u64) -> ResourceSpec {
        self.size = Some(bytes);
        self
    }

    /// Whom it is for.
    #[must_use]
    pub fn annotations(mut self, annotations: Annotations) -> ResourceSpec {
        self.annotations = Some(annotations);
        self
    }

    /// For whom it is meant.
    #[must_use]
    pub fn audience(mut self, audience: impl IntoIterator<Item = Role>) -> ResourceSpec {
        self.annotations.get_or_insert_default().audience = audience.into_iter().collect();
        self
    }

    /// How important it is: 1 is required, 0 is entirely optional.
    #[must_use]
    pub fn priority(mut self, priority: f64) -> ResourceSpec {
        self.annotations.get_or_insert_default().priority = Some(priority);
        self
    }

    /// Adds a picture.
    #[must_use]
    pub fn icon(mut self, icon: Icon) -> ResourceSpec {
        self.icons.push(icon);
        self
    }

    /// How long clients may keep what it holds, if not as the server says for all.
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

    /// Suggests how a variable may go on.
    #[must_use]
    pub fn complete(mut self, variable: impl Into<String>, completer: Completer) -> ResourceSpec {
        self.completers.insert(0, (variable.into(), completer));
        self
    }

    /// It borrows a `T`, which must be given to [`Builder::state`](crate::Builder::state).
    #[must_use]
    pub fn needs<T: Any + Send + Sync>(mut self) -> ResourceSpec {
        self.needs.push(Needed::of::<T>());
        self
    }

    /// Declares that it shows users a form with the fields of `T`, so that the form is checked when the server is built.
    /// A form that is not declared is checked when it is asked.
    #[must_use]
    pub fn asks<T: JsonSchema>(mut self) -> ResourceSpec {
        self.forms.push(Form::of::<T>());
        self
    }

    /// What the variables must be.
    pub(crate) fn schema<'a>(&self, variables: impl Iterator<Item = &'a str>) -> InputSchema {
        let text = || {
            let properties: Map<_, _> = variables.map(|name| (name.to_owned(), json!({"type": "string"}))).collect();
            json!({"type": "object", "properties": properties})
        };
        self.input.clone().unwrap_or_else(|| InputSchema::from_json(text()))
    }
}
