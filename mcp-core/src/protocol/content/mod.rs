//! Content of tool results, prompts and messages.

mod annotations;
mod kinds;
mod resource_contents;

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::protocol::Revision;

pub use annotations::{Annotations, Role};
pub use kinds::{EmbeddedResource, Media, ResourceLink, Text};
pub use resource_contents::ResourceContents;

/// One piece of content for the model or the user.
///
/// ```
/// use mcp_core::protocol::Role;
/// use mcp_core::Content;
///
/// let chart = Content::image(b"\x89PNG...", "image/png").audience([Role::User]).priority(0.9);
/// let note = Content::text("The chart shows the last week.");
/// # let _ = (chart, note);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Content {
    /// Text.
    Text(Text),
    /// An image.
    Image(Media),
    /// Audio (since 2025-03-26; clients of older revisions receive a text that describes it).
    Audio(Media),
    /// A link to a resource that the client may read (since 2025-06-18; clients of older revisions receive it as text).
    ResourceLink(Box<ResourceLink>),
    /// A resource, embedded with its contents.
    Resource(Box<EmbeddedResource>),
}

impl Content {
    /// Creates text content.
    pub fn text(text: impl Into<String>) -> Content {
        Content::Text(Text { text: text.into(), annotations: None, meta: None })
    }

    /// Creates an image from its bytes.
    pub fn image(bytes: impl AsRef<[u8]>, mime_type: impl Into<String>) -> Content {
        Content::Image(Media::new(bytes.as_ref(), mime_type.into()))
    }

    /// Creates audio from its bytes.
    pub fn audio(bytes: impl AsRef<[u8]>, mime_type: impl Into<String>) -> Content {
        Content::Audio(Media::new(bytes.as_ref(), mime_type.into()))
    }

    /// Creates a link to a resource that the client may read.
    pub fn link(uri: impl Into<String>, name: impl Into<String>) -> Content {
        Content::ResourceLink(Box::new(ResourceLink::new(uri, name)))
    }

    /// Embeds a resource with its text or bytes.
    pub fn resource(contents: ResourceContents) -> Content {
        Content::Resource(Box::new(EmbeddedResource { resource: contents, annotations: None, meta: None }))
    }

    /// Returns the text, if this is text content.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Content::Text(text) => Some(&text.text),
            _ => None,
        }
    }

    /// Sets the intended audience.
    #[must_use]
    pub fn audience(mut self, audience: impl IntoIterator<Item = Role>) -> Content {
        self.annotations_mut().audience = audience.into_iter().collect();
        self
    }

    /// Sets the priority, from 0 (optional) to 1 (required).
    #[must_use]
    pub fn priority(mut self, priority: f64) -> Content {
        self.annotations_mut().priority = Some(priority.clamp(0.0, 1.0));
        self
    }

    /// Sets the time of the last change, as an ISO 8601 date.
    #[must_use]
    pub fn last_modified(mut self, date: impl Into<String>) -> Content {
        self.annotations_mut().last_modified = Some(date.into());
        self
    }

    /// Adds an entry to `_meta`.
    #[must_use]
    pub fn meta(mut self, key: impl Into<String>, value: impl Into<Value>) -> Content {
        self.extras().meta.get_or_insert_default().insert(key.into(), value.into());
        self
    }

    fn annotations_mut(&mut self) -> &mut Annotations {
        self.extras().annotations.get_or_insert_default()
    }

    fn extras(&mut self) -> Extras<'_> {
        let (annotations, meta) = match self {
            Content::Text(text) => (&mut text.annotations, &mut text.meta),
            Content::Image(media) | Content::Audio(media) => (&mut media.annotations, &mut media.meta),
            Content::ResourceLink(link) => (&mut link.annotations, &mut link.meta),
            Content::Resource(embedded) => (&mut embedded.annotations, &mut embedded.meta),
        };
        Extras { annotations, meta }
    }

    /// Converts the content to a form that the revision supports. Unsupported kinds become a text that describes them.
    pub(crate) fn for_revision(&self, revision: Revision) -> Cow<'_, Content> {
        match self {
            Content::Audio(media) if !revision.has_annotations() => {
                Cow::Owned(Content::text(format!("[audio, {}, {} bytes in base64]", media.mime_type, media.data.len())))
            }
            Content::ResourceLink(link) if !revision.has_structured_output() => {
                Cow::Owned(Content::text(format!("[{}]({})", link.title.as_ref().unwrap_or(&link.name), link.uri)))
            }
            Content::ResourceLink(link) if !link.icons.is_empty() && !revision.has_icons() => {
                let link = ResourceLink { icons: Vec::new(), ..(**link).clone() };
                Cow::Owned(Content::ResourceLink(Box::new(link)))
            }
            _ if !revision.has_structured_output() && self.is_newer() => {
                let mut older = self.clone();
                let Extras { annotations, meta } = older.extras();
                *meta = None;
                *annotations = annotations.take().map(|annotations| annotations.for_revision(revision));
                if let Content::Resource(embedded) = &mut older {
                    embedded.resource.meta = None;
                }
                Cow::Owned(older)
            }
            _ => Cow::Borrowed(self),
        }
    }

    /// Returns whether the content has fields that were added in 2025-06-18: `lastModified` or `_meta`.
    fn is_newer(&self) -> bool {
        let (annotations, meta) = match self {
            Content::Text(text) => (&text.annotations, &text.meta),
            Content::Image(media) | Content::Audio(media) => (&media.annotations, &media.meta),
            Content::ResourceLink(link) => (&link.annotations, &link.meta),
            Content::Resource(embedded) => (&embedded.annotations, &embedded.meta),
        };
        let inside = matches!(self, Content::Resource(embedded) if embedded.resource.meta.is_some());
        inside || meta.is_some() || annotations.as_ref().is_some_and(|annotations| annotations.last_modified.is_some())
    }
}

/// The fields that every kind of content has.
struct Extras<'a> {
    annotations: &'a mut Option<Annotations>,
    meta: &'a mut Option<Map<String, Value>>,
}

impl From<ResourceLink> for Content {
    fn from(link: ResourceLink) -> Content {
        Content::ResourceLink(Box::new(link))
    }
}

impl<S: Into<String>> From<S> for Content {
    fn from(text: S) -> Content {
        Content::text(text)
    }
}
