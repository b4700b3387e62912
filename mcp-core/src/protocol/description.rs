//! Metadata on the wire: icons, implementation info, tool annotations.

use serde::{Deserialize, Serialize};

/// An image for a tool, a server or a resource (since 2025-11-25).
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
    /// The location of the image: an https or data URI.
    pub src: String,
    /// The media type of the image.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub mime_type: Option<String>,
    /// The available sizes, such as `48x48` or `any`.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub sizes: Vec<String>,
    /// The background that the icon is designed for.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub theme: Option<Theme>,
}

/// The background that an icon is designed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Theme {
    /// The icon is for a light background.
    Light,
    /// The icon is for a dark background.
    Dark,
}

impl Icon {
    /// Creates an icon with this URI.
    pub fn new(src: impl Into<String>) -> Icon {
        Icon { src: src.into(), mime_type: None, sizes: Vec::new(), theme: None }
    }

    /// Sets the media type.
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

    /// Sets the background that the icon is designed for.
    #[must_use]
    pub fn theme(mut self, theme: Theme) -> Icon {
        self.theme = Some(theme);
        self
    }
}

/// The name and version of a client or server.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Implementation {
    /// The name, for use in programs.
    pub name: String,
    /// The version of the implementation.
    pub version: String,
    /// The name that is shown to users.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub title: Option<String>,
    /// The description of the implementation.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub description: Option<String>,
    /// The URL of its website.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub website_url: Option<String>,
    /// The icons of the implementation.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub icons: Vec<Icon>,
}

/// Hints about the effects of a tool. Clients may show them or act on them, but they are not guarantees.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ToolAnnotations {
    /// The name that is shown to users.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub title: Option<String>,
    /// The tool changes nothing. Claude Code runs such tools in parallel.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub read_only_hint: Option<bool>,
    /// The tool may delete or overwrite data, not only add to it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub destructive_hint: Option<bool>,
    /// Idempotent: calling the tool twice with the same arguments has the same effect as calling it once.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub idempotent_hint: Option<bool>,
    /// The tool accesses an open set of entities, such as the web.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub open_world_hint: Option<bool>,
}
