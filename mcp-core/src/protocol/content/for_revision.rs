//! Conversion of content for clients of older revisions.

use std::borrow::Cow;

use super::{Content, ResourceLink};
use crate::protocol::Revision;

impl Content {
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

    /// Whether the content has fields that were added in 2025-06-18: `lastModified` or `_meta`.
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
