//! The contents of a resource.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The contents of a resource: text, or bytes in base64.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ResourceContents {
    /// The URI of the resource.
    pub uri: String,
    /// The media type of the contents.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub mime_type: Option<String>,
    /// The text, if the contents are text.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub text: Option<String>,
    /// The bytes in base64, if the contents are not text.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub blob: Option<String>,
    /// Additional metadata (`_meta`).
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none", default)]
    pub meta: Option<Map<String, Value>>,
}

impl ResourceContents {
    /// Creates text contents of the resource with this URI.
    pub fn text(uri: impl Into<String>, text: impl Into<String>) -> ResourceContents {
        ResourceContents { uri: uri.into(), text: Some(text.into()), ..ResourceContents::default() }
    }

    /// Creates binary contents of the resource with this URI.
    pub fn bytes(uri: impl Into<String>, bytes: impl AsRef<[u8]>) -> ResourceContents {
        let blob = data_encoding::BASE64.encode(bytes.as_ref());
        ResourceContents { uri: uri.into(), blob: Some(blob), ..ResourceContents::default() }
    }

    /// Sets the media type.
    #[must_use]
    pub fn mime_type(mut self, mime_type: impl Into<String>) -> ResourceContents {
        self.mime_type = Some(mime_type.into());
        self
    }
}
