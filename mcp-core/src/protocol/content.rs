//! What a tool's result is made of.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Icon, Revision};

/// One piece of content for the model or the user.
///
/// ```
/// use mcp_core::{Content, Role};
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
    /// A picture.
    Image(Media),
    /// Sound (since 2025-03-26; older clients are told of it in text).
    Audio(Media),
    /// A resource that the client may read (since 2025-06-18; older clients are told of it in text).
    ResourceLink(Box<ResourceLink>),
    /// A resource with its contents.
    Resource(Box<EmbeddedResource>),
}

/// Text for the model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Text {
    /// The text itself.
    pub text: String,
    /// Whom it is for.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub annotations: Option<Annotations>,
    /// Anything else.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none", default)]
    pub meta: Option<Map<String, Value>>,
}

/// A picture or sound.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Media {
    /// The bytes in base64.
    pub data: String,
    /// For example `image/png`.
    pub mime_type: String,
    /// Whom it is for.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub annotations: Option<Annotations>,
    /// Anything else.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none", default)]
    pub meta: Option<Map<String, Value>>,
}

/// A pointer to a resource that the client may read if it wants to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ResourceLink {
    /// Where it is.
    pub uri: String,
    /// Its name for programs.
    pub name: String,
    /// Its name for people.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub title: Option<String>,
    /// What it is.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub description: Option<String>,
    /// What kind of file it is.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub mime_type: Option<String>,
    /// Its size in bytes.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub size: Option<u64>,
    /// Pictures for it (since 2025-11-25).
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub icons: Vec<Icon>,
    /// Whom it is for.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub annotations: Option<Annotations>,
    /// Anything else.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none", default)]
    pub meta: Option<Map<String, Value>>,
}

/// A resource inside a result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct EmbeddedResource {
    /// Where it is and what it holds.
    pub resource: ResourceContents,
    /// Whom it is for.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub annotations: Option<Annotations>,
    /// Anything else.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none", default)]
    pub meta: Option<Map<String, Value>>,
}

/// What a resource holds: text, or bytes in base64.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ResourceContents {
    /// Where it is.
    pub uri: String,
    /// What kind of file it is.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub mime_type: Option<String>,
    /// The text, if it is text.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub text: Option<String>,
    /// The bytes in base64, if it is not.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub blob: Option<String>,
    /// Anything else.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none", default)]
    pub meta: Option<Map<String, Value>>,
}

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

impl Content {
    /// Text.
    pub fn text(text: impl Into<String>) -> Content {
        Content::Text(Text { text: text.into(), annotations: None, meta: None })
    }

    /// A picture from its bytes.
    pub fn image(bytes: impl AsRef<[u8]>, mime_type: impl Into<String>) -> Content {
        Content::Image(Media::new(bytes.as_ref(), mime_type.into()))
    }

    /// Sound from its bytes.
    pub fn audio(bytes: impl AsRef<[u8]>, mime_type: impl Into<String>) -> Content {
        Content::Audio(Media::new(bytes.as_ref(), mime_type.into()))
    }

    /// A resource that the client may read.
    pub fn link(uri: impl Into<String>, name: impl Into<String>) -> Content {
        Content::ResourceLink(Box::new(ResourceLink::new(uri, name)))
    }

    /// A resource with its text or bytes.
    pub fn resource(contents: ResourceContents) -> Content {
        Content::Resource(Box::new(EmbeddedResource { resource: contents, annotations: None, meta: None }))
    }

    /// The text, if this is text.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Content::Text(text) => Some(&text.text),
            _ => None,
        }
    }

    /// Says whom this is for.
    #[must_use]
    pub fn audience(mut self, audience: impl IntoIterator<Item = Role>) -> Content {
        self.annotations_mut().audience = audience.into_iter().collect();
        self
    }

    /// Says how much this matters, from 0 (optional) to 1 (required).
    #[must_use]
    pub fn priority(mut self, priority: f64) -> Content {
        self.annotations_mut().priority = Some(priority.clamp(0.0, 1.0));
        self
    }

    /// Says when this was last changed, as an ISO 8601 date.
    #[must_use]
    pub fn last_modified(mut self, date: impl Into<String>) -> Content {
        self.annotations_mut().last_modified = Some(date.into());
        self
    }

    /// Attaches a `_meta` entry.
    #[must_use]
    pub fn meta(mut self, key: impl Into<String>, value: impl Into<Value>) -> Content {
        let meta = match &mut self {
            Content::Text(text) => &mut text.meta,
            Content::Image(media) | Content::Audio(media) => &mut media.meta,
            Content::ResourceLink(link) => &mut link.meta,
            Content::Resource(resource) => &mut resource.meta,
        };
        meta.get_or_insert_default().insert(key.into(), value.into());
        self
    }

    fn annotations_mut(&mut self) -> &mut Annotations {
        match self {
            Content::Text(text) => &mut text.annotations,
            Content::Image(media) | Content::Audio(media) => &mut media.annotations,
            Content::ResourceLink(link) => &mut link.annotations,
            Content::Resource(resource) => &mut resource.annotations,
        }
        .get_or_insert_default()
    }

    /// The same in the words of that revision: what it does not know is told in text, nothing is lost in silence.
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
                let (annotations, meta) = older.extras();
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

    /// Whether it has parts that came with 2025-06-18: dates, and `_meta`.
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

    fn extras(&mut self) -> (&mut Option<Annotations>, &mut Option<Map<String, Value>>) {
        match self {
            Content::Text(text) => (&mut text.annotations, &mut text.meta),
            Content::Image(media) | Content::Audio(media) => (&mut media.annotations, &mut media.meta),
            Content::ResourceLink(link) => (&mut link.annotations, &mut link.meta),
            Content::Resource(embedded) => (&mut embedded.annotations, &mut embedded.meta),
        }
    }
}

impl Annotations {
    /// What of it that revision knows.
    pub(crate) fn for_revision(mut self, revision: Revision) -> Annotations {
        self.last_modified = self.last_modified.filter(|_| revision.has_structured_output());
        self
    }
}

impl Media {
    fn new(bytes: &[u8], mime_type: String) -> Media {
        Media { data: data_encoding::BASE64.encode(bytes), mime_type, annotations: None, meta: None }
    }
}

impl ResourceLink {
    /// A link to that address.
    pub fn new(uri: impl Into<String>, name: impl Into<String>) -> ResourceLink {
        ResourceLink {
            uri: uri.into(),
            name: name.into(),
            title: None,
            description: None,
            mime_type: None,
            size: None,
            icons: Vec::new(),
            annotations: None,
            meta: None,
        }
    }
}

impl From<ResourceLink> for Content {
    fn from(link: ResourceLink) -> Content {
        Content::ResourceLink(Box::new(link))
    }
}

impl ResourceContents {
    /// Text at that address.
    pub fn text(uri: impl Into<String>, text: impl Into<String>) -> ResourceContents {
        ResourceContents { uri: uri.into(), text: Some(text.into()), ..ResourceContents::default() }
    }

    /// Bytes at that address.
    pub fn bytes(uri: impl Into<String>, bytes: impl AsRef<[u8]>) -> ResourceContents {
        let blob = data_encoding::BASE64.encode(bytes.as_ref());
        ResourceContents { uri: uri.into(), blob: Some(blob), ..ResourceContents::default() }
    }

    /// Says what kind of file it is.
    #[must_use]
    pub fn mime_type(mut self, mime_type: impl Into<String>) -> ResourceContents {
        self.mime_type = Some(mime_type.into());
        self
    }
}

impl<S: Into<String>> From<S> for Content {
    fn from(text: S) -> Content {
        Content::text(text)
    }
}
