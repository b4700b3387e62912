//! The lines of a stored transcript.

use serde::Deserialize;
use serde_json::value::RawValue;

/// A line of a transcript: one JSON object in the format of the CLI. The text is kept as it is.
#[derive(Debug, Clone)]
pub struct StoredLine(Box<RawValue>);

/// The fields that stores and this crate read.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Head {
    #[serde(rename = "type", deserialize_with = "crate::wire::lenient")]
    kind: Option<String>,
    #[serde(deserialize_with = "crate::wire::lenient")]
    uuid: Option<String>,
}

impl StoredLine {
    /// Parses a line.
    ///
    /// # Errors
    /// If the text is not a JSON object.
    pub fn parse(text: &str) -> Result<Self, serde_json::Error> {
        let raw: Box<RawValue> = serde_json::from_str(text)?;
        // Also rejects other JSON values: they are not lines of a transcript.
        serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(raw.get())?;
        // A JSON text may contain line breaks between its tokens. In a transcript, a line break ends the line.
        if raw.get().contains(['\n', '\r']) {
            let value: serde_json::Value = serde_json::from_str(raw.get())?;
            return Ok(Self(serde_json::value::to_raw_value(&value)?));
        }
        Ok(Self(raw))
    }

    /// Returns the JSON text, without a line break.
    pub fn as_str(&self) -> &str {
        self.0.get()
    }

    /// Returns the type of the line, for instance `user`.
    pub fn kind(&self) -> String {
        self.head().kind.unwrap_or_default()
    }

    /// Returns the id of the line. Titles, tags and other settings have none.
    pub fn uuid(&self) -> Option<String> {
        self.head().uuid
    }

    fn head(&self) -> Head {
        serde_json::from_str(self.0.get()).unwrap_or_default()
    }
}

impl PartialEq for StoredLine {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}
