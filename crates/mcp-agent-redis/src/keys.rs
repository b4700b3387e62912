//! The keys in Redis.

use mcp_agent::store::SessionKey;
use serde_json::json;

/// Creates keys with a prefix. Names are encoded as JSON, so that no name can be mistaken for two.
#[derive(Debug, Clone)]
pub(crate) struct Keys {
    pub(crate) prefix: String,
}

impl Keys {
    /// Returns the list of lines of a transcript.
    pub(crate) fn lines(&self, key: &SessionKey) -> String {
        self.key("lines", &json!([key.project, key.session, key.subpath]))
    }

    /// Returns the set of the ids of these lines.
    pub(crate) fn uuids(&self, key: &SessionKey) -> String {
        self.key("uuids", &json!([key.project, key.session, key.subpath]))
    }

    /// Returns the summary of a session.
    pub(crate) fn summary(&self, project: &str, session: &str) -> String {
        self.key("summary", &json!([project, session]))
    }

    /// Returns the set of the subpaths of a session.
    pub(crate) fn subpaths(&self, key: &SessionKey) -> String {
        self.key("subpaths", &json!([key.project, key.session]))
    }

    /// Returns the set of the sessions of a project.
    pub(crate) fn sessions(&self, project: &str) -> String {
        self.key("sessions", &json!([project]))
    }

    fn key(&self, kind: &str, names: &serde_json::Value) -> String {
        format!("{}:{kind}:{names}", self.prefix)
    }
}
