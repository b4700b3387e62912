//! Whom content is for.

use serde::{Deserialize, Serialize};

use crate::protocol::Revision;

/// Whom content is for, and how much it matters.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Annotations {
    /// The user, the assistant, or both.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub audience: Vec<Role>,
    /// 1 is required, 0 is entirely optional.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub priority: Option<f64>,
    /// When it was last changed, ISO 8601 (since 2025-06-18).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub last_modified: Option<String>,
}

/// One side of a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The person.
    User,
    /// The model.
    Assistant,
}

impl Annotations {
    /// What of it that revision knows.
    pub(crate) fn for_revision(mut self, revision: Revision) -> Annotations {
        self.last_modified = self.last_modified.filter(|_| revision.has_structured_output());
        self
    }
}
