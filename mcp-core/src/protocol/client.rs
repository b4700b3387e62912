//! What a client can do for a server.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Implementation, Revision, meta};
use crate::jsonrpc::RawJson;

/// What a client said it can do.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct ClientCapabilities {
    /// It can ask its user: with a form, or by sending them to a page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elicitation: Option<ElicitationCapability>,
    /// It can ask a model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sampling: Option<Map<String, Value>>,
    /// It can tell which folders the user works in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub roots: Option<Map<String, Value>>,
    /// What it knows beyond the protocol, by the name of the extension (2026-07-28).
    pub extensions: Option<Map<String, Value>>,
}

/// What a client says of itself.
#[derive(Debug, Default)]
pub(crate) struct Client {
    /// Its name card, where it gave one.
    pub(crate) info: Option<Implementation>,
    pub(crate) capabilities: ClientCapabilities,
}

impl Client {
    pub(crate) fn parse(info: Option<RawJson<'_>>, capabilities: Option<RawJson<'_>>) -> Client {
        let info = info.and_then(|raw| serde_json::from_str(raw.get()).ok());
        Client { info, capabilities: ClientCapabilities::parse(capabilities) }
    }
}

/// How a client can ask its user.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct ElicitationCapability {
    /// With a form. A client that says neither can do this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub form: Option<Map<String, Value>>,
    /// By sending them to a page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<Map<String, Value>>,
}

impl ClientCapabilities {
    pub(crate) fn parse(raw: Option<RawJson<'_>>) -> ClientCapabilities {
        raw.and_then(|raw| serde_json::from_str(raw.get()).ok()).unwrap_or_default()
    }

    /// What of it that revision knows: nothing else is asked of the client.
    pub(crate) fn known_in(mut self, revision: Revision) -> ClientCapabilities {
        self.elicitation = self.elicitation.filter(|_| revision.has_elicitation());
        self
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

    /// Whether it follows tasks, where these are an extension.
    pub fn can_follow_tasks(&self) -> bool {
        self.extensions.as_ref().is_some_and(|known| known.contains_key(meta::TASKS))
    }

    /// Whether it can be asked anything.
    pub(crate) fn can_be_asked(&self) -> bool {
        self.elicitation.is_some() || self.can_sample() || self.can_tell_roots()
    }
}
