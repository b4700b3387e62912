//! What a client can do for a server.

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

/// What a client said it can do.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct ClientCapabilities {
    /// It can ask its user: with a form, or by sending them to a page.
    pub elicitation: Option<ElicitationCapability>,
    /// It can ask a model.
    pub sampling: Option<Map<String, Value>>,
    /// It can tell which folders the user works in.
    pub roots: Option<Map<String, Value>>,
}

/// How a client can ask its user.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct ElicitationCapability {
    /// With a form. A client that says neither can do this.
    pub form: Option<Map<String, Value>>,
    /// By sending them to a page.
    pub url: Option<Map<String, Value>>,
}

impl ClientCapabilities {
    pub(crate) fn parse(raw: Option<&RawValue>) -> ClientCapabilities {
        raw.and_then(|raw| serde_json::from_str(raw.get()).ok()).unwrap_or_default()
    }

    /// Whether it can show a form to its user.
    pub fn can_elicit(&self) -> bool {
        self.elicitation.as_ref().is_some_and(|can| can.form.is_some() || can.url.is_none())
    }

    /// Whether it can send its user to a page.
    pub fn can_elicit_url(&self) -> bool {
        self.elicitation.as_ref().is_some_and(|can| can.url.is_some())
    }

    /// Whether it can ask a model.
    pub fn can_sample(&self) -> bool {
        self.sampling.is_some()
    }

    /// Whether it can tell which folders the user works in.
    pub fn can_tell_roots(&self) -> bool {
        self.roots.is_some()
    }

    /// Whether it can be asked anything.
    pub(crate) fn can_be_asked(&self) -> bool {
        self.elicitation.is_some() || self.can_sample() || self.can_tell_roots()
    }
}
