//! Resources in the results of `resources/list` and `resources/templates/list`.

use std::sync::Arc;

use serde::Serialize;
use serde_json::{Map, Value};

use super::{Listed, Listing};
use crate::protocol::{Annotations, Icon, Revision};
use crate::resource::Resource;
use crate::resource::spec::ResourceSpec;
use crate::resource::template::Template;
use crate::schema::InputSchema;

/// A registered resource or resource template.
pub(crate) struct ResourceEntry {
    pub(crate) spec: ResourceSpec,
    pub(crate) resource: Arc<dyn Resource>,
    pub(crate) template: Template,
    pub(crate) input: InputSchema,
}

impl ResourceEntry {
    /// Creates an entry. The error contains the URI and why it is invalid.
    pub(crate) fn new(resource: Arc<dyn Resource>) -> Result<ResourceEntry, (String, String)> {
        let spec = resource.spec();
        match Template::parse(&spec.uri) {
            Ok(template) => Ok(ResourceEntry { input: spec.schema(template.variables()), spec, resource, template }),
            Err(reason) => Err((spec.uri.into_owned(), reason.to_string())),
        }
    }
}

/// A resource with a fixed URI.
pub(crate) struct Fixed {
    pub(crate) entry: ResourceEntry,
}

/// A resource template: one URI for each value of its variables.
pub(crate) struct Templated {
    pub(crate) entry: ResourceEntry,
}

impl Listed for Fixed {
    const FIELD: &'static str = "resources";

    fn key(&self) -> &str {
        self.entry.spec.uri()
    }

    fn describe(&self, revision: Revision) -> impl Serialize {
        Description { uri: Some(self.entry.spec.uri()), size: self.entry.spec.size, ..describe(&self.entry.spec, revision) }
    }
}

impl Listed for Templated {
    const FIELD: &'static str = "resourceTemplates";

    fn key(&self) -> &str {
        self.entry.spec.uri()
    }

    fn describe(&self, revision: Revision) -> impl Serialize {
        Description { uri_template: Some(self.entry.spec.uri()), ..describe(&self.entry.spec, revision) }
    }
}

fn describe(spec: &ResourceSpec, revision: Revision) -> Description<'_> {
    let newer = revision.has_structured_output();
    Description {
        uri: None,
        uri_template: None,
        name: &spec.name,
        title: spec.title.as_deref().filter(|_| newer),
        description: &spec.description,
        mime_type: spec.mime_type.as_deref(),
        size: None,
        annotations: spec.annotations.clone().map(|annotations| annotations.for_revision(revision)),
        icons: if revision.has_icons() { &spec.icons } else { &[] },
        meta: Some(&spec.meta).filter(|meta| newer && !meta.is_empty()),
    }
}

/// The wire format of a resource or a resource template.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Description<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    uri: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    uri_template: Option<&'a str>,
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
    description: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    mime_type: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    annotations: Option<Annotations>,
    #[serde(skip_serializing_if = "<[Icon]>::is_empty")]
    icons: &'a [Icon],
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    meta: Option<&'a Map<String, Value>>,
}

/// All resources of a server.
pub(crate) struct Resources {
    pub(crate) fixed: Listing<Fixed>,
    pub(crate) templated: Listing<Templated>,
}

/// The position of a resource in its list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Fixed(usize),
    Templated(usize),
}

impl Resources {
    pub(crate) fn at(&self, place: Place) -> &ResourceEntry {
        match place {
            Place::Fixed(index) => &self.fixed.entries()[index].entry,
            Place::Templated(index) => &self.templated.entries()[index].entry,
        }
    }

    /// Returns whether both lists look the same to clients.
    pub(crate) fn is_like(&self, other: &Resources) -> bool {
        self.fixed.is_like(&other.fixed) && self.templated.is_like(&other.templated)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.fixed.entries().is_empty() && self.templated.entries().is_empty()
    }

    /// Finds the resource for a URI: the fixed one with that URI, otherwise the first template that matches, with its
    /// variables.
    pub(crate) fn find(&self, uri: &str) -> Option<(Place, Vec<(&str, String)>)> {
        if let Some(index) = self.fixed.find(uri) {
            return Some((Place::Fixed(index), Vec::new()));
        }
        let mut templates = self.templated.entries().iter().enumerate();
        templates.find_map(|(index, listed)| Some((Place::Templated(index), listed.entry.template.matches(uri)?)))
    }
}
