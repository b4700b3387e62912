//! What a resource holds.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What a resource holds: text, or bytes in base64.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ResourceContents {
    /// Where it is.
    pub uri: String,
    /// What kind of file it is.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub mime_type: Option<String>,
    /// The text, if it is text.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub text: Option<String>,
    /// The bytes in base64, if it is not.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub blob: Option<String>,
    /// Anything else.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none", default)]
    pub meta: Option<Map<String, Value>>,
}

impl ResourceContents {
    /// Text at that address.
    pub fn text(uri: impl Into<String>, text: impl Into<String>) -> ResourceContents {
        ResourceContents { uri: uri.into(), text: Some(text.into()), ..ResourceContents::default() }
    }

    /// Bytes at that address.
    pub fn bytes(uri: impl Into<String>, bytes: impl AsRef<[u8]>) -> ResourceContents {
        let blob = data_encoding::BASE64.encode(bytes.as_ref());
        ResourceContents { uri: uri.into(), blob: Some(blob), ..ResourceContents::default() }
    }

    /// Says what kind of file it is.
    #[must_use]
    pub fn mime_type(mut self, mime_type: impl Into<String>) -> ResourceContents {
        self.mime_type = Some(mime_type.into());
        self
    }
}
