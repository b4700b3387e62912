//! The kinds of content.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Annotations, ResourceContents};
use crate::protocol::Icon;

/// Text for the model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Text {
    /// The text itself.
    pub text: String,
    /// Whom it is for.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub annotations: Option<Annotations>,
    /// Anything else.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none", default)]
    pub meta: Option<Map<String, Value>>,
}

/// A picture or sound.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Media {
    /// The bytes in base64.
    pub data: String,
    /// For example `image/png`.
    pub mime_type: String,
    /// Whom it is for.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub annotations: Option<Annotations>,
    /// Anything else.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none", default)]
    pub meta: Option<Map<String, Value>>,
}

/// A pointer to a resource that the client may read if it wants to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ResourceLink {
    /// Where it is.
    pub uri: String,
    /// Its name for programs.
    pub name: String,
    /// Its name for people.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub title: Option<String>,
    /// What it is.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub description: Option<String>,
    /// What kind of file it is.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub mime_type: Option<String>,
    /// Its size in bytes.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub size: Option<u64>,
    /// Pictures for it (since 2025-11-25).
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub icons: Vec<Icon>,
    /// Whom it is for.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub annotations: Option<Annotations>,
    /// Anything else.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none", default)]
    pub meta: Option<Map<String, Value>>,
}

/// A resource inside a result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct EmbeddedResource {
    /// Where it is and what it holds.
    pub resource: ResourceContents,
    /// Whom it is for.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub annotations: Option<Annotations>,
    /// Anything else.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none", default)]
    pub meta: Option<Map<String, Value>>,
}

impl Media {
    pub(super) fn new(bytes: &[u8], mime_type: String) -> Media {
        Media { data: data_encoding::BASE64.encode(bytes), mime_type, annotations: None, meta: None }
    }
}

impl ResourceLink {
    /// A link to that address.
    pub fn new(uri: impl Into<String>, name: impl Into<String>) -> ResourceLink {
        ResourceLink {
            uri: uri.into(),
            name: name.into(),
            title: None,
            description: None,
            mime_type: None,
            size: None,
            icons: Vec::new(),
            annotations: None,
            meta: None,
        }
    }
}
