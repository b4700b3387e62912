//! The capabilities and the name of a client.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Implementation, Revision, meta};
use crate::jsonrpc::RawJson;

/// The capabilities that a client has declared.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct ClientCapabilities {
    /// The client can ask its user questions, with a form or by opening a web page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elicitation: Option<ElicitationCapability>,
    /// The client can generate text with a model (`sampling/createMessage`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sampling: Option<Map<String, Value>>,
    /// The client can list the folders that the user works in (`roots/list`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub roots: Option<Map<String, Value>>,
    /// The supported extensions of the protocol, by name (since 2026-07-28).
    pub extensions: Option<Map<String, Value>>,
}

/// The name and the capabilities of a client.
#[derive(Debug, Default)]
pub(crate) struct Client {
    /// The name and version, if the client has sent them.
    pub(crate) info: Option<Implementation>,
    pub(crate) capabilities: ClientCapabilities,
}

impl Client {
    pub(crate) fn parse(info: Option<RawJson<'_>>, capabilities: Option<RawJson<'_>>) -> Client {
        let info = info.and_then(|raw| serde_json::from_str(raw.get()).ok());
        Client { info, capabilities: ClientCapabilities::parse(capabilities) }
    }
}

/// The forms of elicitation that a client supports.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct ElicitationCapability {
    /// The client can show a form. A client that declares neither `form` nor `url` supports forms.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub form: Option<Map<String, Value>>,
    /// The client can open a web page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<Map<String, Value>>,
}

impl ClientCapabilities {
    pub(crate) fn parse(raw: Option<RawJson<'_>>) -> ClientCapabilities {
        raw.and_then(|raw| serde_json::from_str(raw.get()).ok()).unwrap_or_default()
    }

    /// Removes the capabilities that the revision does not have, so that the server does not use them.
    pub(crate) fn known_in(mut self, revision: Revision) -> ClientCapabilities {
        self.elicitation = self.elicitation.filter(|_| revision.has_elicitation());
        self
    }

    /// Returns whether the client can show a form to its user.
    pub fn can_elicit(&self) -> bool {
        self.elicitation.as_ref().is_some_and(|can| can.form.is_some() || can.url.is_none())
    }

    /// Returns whether the client can open a web page for its user.
    pub fn can_elicit_url(&self) -> bool {
        self.elicitation.as_ref().is_some_and(|can| can.url.is_some())
    }

    /// Returns whether the client can generate text with a model.
    pub fn can_sample(&self) -> bool {
        self.sampling.is_some()
    }

    /// Returns whether the client can list the folders that the user works in.
    pub fn can_tell_roots(&self) -> bool {
        self.roots.is_some()
    }

    /// Returns whether the client supports the tasks extension of 2026-07-28.
    pub fn can_follow_tasks(&self) -> bool {
        self.extensions.as_ref().is_some_and(|known| known.contains_key(meta::TASKS))
    }

    /// Returns whether the client accepts any kind of request from the server.
    pub(crate) fn can_be_asked(&self) -> bool {
        self.elicitation.is_some() || self.can_sample() || self.can_tell_roots()
    }
}
