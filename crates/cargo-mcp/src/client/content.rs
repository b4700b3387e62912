//! Contents of results, for people and for files.

use std::fs;
use std::path::Path;

use data_encoding::BASE64;
use mcp_core::Content;
use mcp_core::protocol::ResourceContents;

use crate::{Failure, tell};

/// Returns content as text. A terminal cannot show images and audio, so they are only named.
pub(super) fn text_of(content: &Content) -> String {
    match content {
        Content::Text(text) => text.text.clone(),
        Content::Image(media) => named("image", &media.mime_type, &media.data),
        Content::Audio(media) => named("audio", &media.mime_type, &media.data),
        Content::ResourceLink(link) => {
            let title = link.title.as_deref().unwrap_or(&link.name);
            format!("[link to {}: {title}]", link.uri)
        }
        Content::Resource(resource) => text_of_contents(&resource.resource),
        other => serde_json::to_string(other).unwrap_or_default(),
    }
}

pub(super) fn text_of_contents(contents: &ResourceContents) -> String {
    match (&contents.text, &contents.blob) {
        (Some(text), _) => text.clone(),
        (None, Some(blob)) => named("resource", contents.mime_type.as_deref().unwrap_or("unknown type"), blob),
        (None, None) => String::new(),
    }
}

fn named(kind: &str, mime_type: &str, base64: &str) -> String {
    format!("[{kind}: {mime_type}, {} bytes; save it with --output FILE]", base64.trim_end_matches('=').len() * 3 / 4)
}

/// Returns the bytes of content that can be a file. `None` for a link.
pub(super) fn bytes_of(content: &Content) -> Option<Result<Vec<u8>, Failure>> {
    match content {
        Content::Text(text) => Some(Ok(text.text.clone().into_bytes())),
        Content::Image(media) | Content::Audio(media) => Some(decoded(&media.data)),
        Content::Resource(resource) => Some(bytes_of_contents(&resource.resource)),
        _ => None,
    }
}

pub(super) fn bytes_of_contents(contents: &ResourceContents) -> Result<Vec<u8>, Failure> {
    match (&contents.text, &contents.blob) {
        (Some(text), _) => Ok(text.clone().into_bytes()),
        (None, Some(blob)) => decoded(blob),
        (None, None) => Ok(Vec::new()),
    }
}

fn decoded(base64: &str) -> Result<Vec<u8>, Failure> {
    BASE64.decode(base64.as_bytes()).map_err(|error| Failure::new(format!("the server sent invalid base64: {error}")))
}

/// Writes the only content to a file. With several ones it is not clear which is meant.
pub(super) fn save(path: &Path, mut contents: Vec<Vec<u8>>) -> Result<(), Failure> {
    let (Some(bytes), true) = (contents.pop(), contents.is_empty()) else {
        let count = contents.len();
        let reason = if count == 0 { "no content".to_owned() } else { format!("{} contents", count + 1) };
        return Err(Failure::new(format!("`--output` needs one content, but the result has {reason}; see it with --json")));
    };
    fs::write(path, &bytes).map_err(|error| Failure::new(format!("cannot write {}: {error}", path.display())))?;
    tell(&format!("wrote {} bytes to {}", bytes.len(), path.display()));
    Ok(())
}
