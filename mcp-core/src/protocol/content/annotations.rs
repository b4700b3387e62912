//! Annotations of content: audience, priority, time of the last change.

use serde::{Deserialize, Serialize};

use crate::protocol::Revision;

/// The intended audience of content, its priority, and the time of its last change.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Annotations {
    /// The intended audience: the user, the assistant, or both.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub audience: Vec<Role>,
    /// The priority: 1 is required, 0 is entirely optional.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub priority: Option<f64>,
    /// The time of the last change, in ISO 8601 format (since 2025-06-18).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub last_modified: Option<String>,
}

/// One side of a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The user.
    User,
    /// The model.
    Assistant,
}

impl Annotations {
    /// Removes the annotations that the revision does not have.
    pub(crate) fn for_revision(mut self, revision: Revision) -> Annotations {
        self.last_modified = self.last_modified.filter(|_| revision.has_structured_output());
        self
    }
}
