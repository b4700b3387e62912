//! Limits on the calls of a client and on the size of a result.

use crate::protocol::Content;
use crate::tool::result::ToolResult;

/// Limits on the concurrent calls of one client and on the size of one result.
///
/// ```
/// use mcp_core::{Limits, Server};
///
/// let server = Server::builder("terse", "1.0.0").limits(Limits::default().output(100_000).in_flight(64));
/// # let _ = server;
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    pub(crate) in_flight: usize,
    pub(crate) in_flight_bytes: usize,
    pub(crate) output: usize,
}

impl Limits {
    /// Sets the maximum number of calls of one client that are in flight. Further calls are rejected. The default is 16,384.
    ///
    /// A function that keeps running after its call was cancelled counts until it returns.
    #[must_use]
    pub fn in_flight(mut self, calls: usize) -> Limits {
        self.in_flight = calls;
        self
    }

    /// Sets the maximum total size of the arguments of one client's calls that are in flight. A call that would exceed it is
    /// rejected, unless it is the only one. The default is 64 MiB.
    #[must_use]
    pub fn in_flight_bytes(mut self, bytes: usize) -> Limits {
        self.in_flight_bytes = bytes;
        self
    }

    /// Sets the maximum size of a result in bytes. Longer text is truncated with a note. Structured output that is larger is
    /// an error. The default is 16 MiB. Claude Code has its own limit of about 25,000 tokens.
    #[must_use]
    pub fn output(mut self, bytes: usize) -> Limits {
        self.output = bytes;
        self
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { in_flight: 16_384, in_flight_bytes: 64 << 20, output: 16 << 20 }
    }
}

/// Reduces a result that is larger than `limit`: text is truncated, structured output is replaced by an error.
pub(crate) fn fit(result: &mut ToolResult, limit: usize) {
    let structured = result.structured.as_ref().map_or(0, |json| json.get().len());
    if structured > limit {
        *result = ToolResult::error(format!(
            "the structured output has {structured} bytes, but only {limit} are allowed: request less"
        ));
        return;
    }
    let mut left = limit - structured;
    for content in &mut result.content {
        let size = size(content);
        if size > left {
            *content = cut(content, left);
            left = 0;
        } else {
            left -= size;
        }
    }
}

/// Returns the size of the text or the data of a content block.
fn size(content: &Content) -> usize {
    match content {
        Content::Text(text) => text.text.len(),
        Content::Image(media) | Content::Audio(media) => media.data.len(),
        Content::Resource(embedded) => {
            let length = |part: &Option<String>| part.as_ref().map_or(0, String::len);
            length(&embedded.resource.text) + length(&embedded.resource.blob)
        }
        Content::ResourceLink(_) => 0,
    }
}

/// Truncates text to `left` bytes and adds a note. Other content is replaced by a note.
fn cut(content: &Content, left: usize) -> Content {
    let note = format!("[cut: {left} of {} bytes]", size(content));
    match content {
        Content::Text(whole) => {
            let mut text = whole.clone();
            text.text.truncate(whole.text.floor_char_boundary(left));
            text.text.push('\n');
            text.text.push_str(&note);
            Content::Text(text)
        }
        Content::Image(media) | Content::Audio(media) => Content::text(format!("{} left out: {note}", media.mime_type)),
        Content::Resource(embedded) => Content::text(format!("{} left out: {note}", embedded.resource.uri)),
        Content::ResourceLink(_) => content.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fitted(mut result: ToolResult, limit: usize) -> ToolResult {
        fit(&mut result, limit);
        result
    }

    #[test]
    fn output_within_the_limit_is_unchanged() {
        let result = fitted(ToolResult::text("12345"), 5);
        assert_eq!(result.to_text(), "12345");
    }

    #[test]
    fn text_is_cut_between_characters_with_a_note() {
        let result = fitted(ToolResult::content(["ääää".into(), "more".into()]), 5);
        assert_eq!(result.to_text(), "ää\n[cut: 5 of 8 bytes]\n[cut: 0 of 4 bytes]");
        assert!(!result.is_error);
    }

    #[test]
    fn content_that_cannot_be_truncated_is_replaced_by_a_note() {
        let result = fitted(ToolResult::content([Content::image(b"abcd", "image/png")]), 3);
        assert_eq!(result.to_text(), "image/png left out: [cut: 3 of 8 bytes]");
    }

    #[test]
    fn structured_output_over_the_limit_is_an_error() {
        let result = fitted(ToolResult::default().structured(&[1, 2, 3]).unwrap(), 3);
        assert!(result.is_error && result.structured.is_none());
    }
}
