//! How things describe themselves: icons, implementations, annotations of tools.

use serde::{Deserialize, Serialize};

/// A picture for a tool, a server or a resource (since 2025-11-25).
///
/// ```
/// use mcp_core::protocol::Icon;
///
/// let icon = Icon::new("https://example.com/tool.svg").mime_type("image/svg+xml").size("any");
/// # let _ = icon;
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Icon {
    /// Where it is: an https or data URI.
    pub src: String,
    /// What kind of picture.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub mime_type: Option<String>,
    /// In which sizes, such as `48x48` or `any`.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub sizes: Vec<String>,
    /// For which background it is made.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub theme: Option<Theme>,
}

/// The background that an icon is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Theme {
    /// Light.
    Light,
    /// Dark.
    Dark,
}

impl Icon {
    /// The picture at that address.
    pub fn new(src: impl Into<String>) -> Icon {
        Icon { src: src.into(), mime_type: None, sizes: Vec::new(), theme: None }
    }

    /// Says what kind of picture it is.
    #[must_use]
    pub fn mime_type(mut self, mime_type: impl Into<String>) -> Icon {
        self.mime_type = Some(mime_type.into());
        self
    }

    /// Adds a size, such as `48x48`.
    #[must_use]
    pub fn size(mut self, size: impl Into<String>) -> Icon {
        self.sizes.push(size.into());
        self
    }

    /// Says for which background it is made.
    #[must_use]
    pub fn theme(mut self, theme: Theme) -> Icon {
        self.theme = Some(theme);
        self
    }
}

/// A program's name card: ours in a reply, the client's in a request.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Implementation {
    /// Its name for programs.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Its name for people.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub title: Option<String>,
    /// What it is.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub description: Option<String>,
    /// Where to read more.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub website_url: Option<String>,
    /// Pictures for it.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub icons: Vec<Icon>,
}

/// Hints about what a tool does to its world. Clients show them and may act on them; they are no promise.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ToolAnnotations {
    /// The tool's name for people.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub title: Option<String>,
    /// It changes nothing. Claude Code runs such tools in parallel.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub read_only_hint: Option<bool>,
    /// It may destroy, not only add.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub destructive_hint: Option<bool>,
    /// Idempotent: calling the tool twice with the same arguments has the same effect as calling it once.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub idempotent_hint: Option<bool>,
    /// It reaches beyond a closed world, such as the web.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub open_world_hint: Option<bool>,
}
