//! How much a server takes on, and how much it lets out.

use crate::protocol::Content;
use crate::tool::output::{Given, ToolOutput};
use crate::tool::result::ToolResult;

/// How much a server takes on from one client, and how much it lets out in one result.
///
/// ```
/// use mcp_core::{Limits, Server};
///
/// let mut limits = Limits::default();
/// limits.output = 100_000;
/// let server = Server::new("terse", "1.0.0").limits(limits);
/// # let _ = server;
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// How many calls of one client may be at work; one more is refused. 16,384 unless you say otherwise.
    ///
    /// A function that goes on although its call was cancelled counts until it returns.
    pub in_flight: usize,
    /// How many bytes of arguments the calls of one client at work may have together; a call beyond that is refused. 64 MiB
    /// unless you say otherwise. A call alone may have more.
    pub in_flight_bytes: usize,
    /// How many bytes one result may have. Text is cut there with a note, structured output over it is an error. 16 MiB
    /// unless you say otherwise; Claude Code itself stops at some 25,000 tokens.
    pub output: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { in_flight: 16_384, in_flight_bytes: 64 << 20, output: 16 << 20 }
    }
}

/// As many characters as a number may have.
const LONGEST_NUMBER: usize = 20;

/// What came out, if it is not too large; else what can be told of it.
pub(crate) fn fit(mut output: ToolOutput, limit: usize) -> ToolOutput {
    let fits = match &output.0 {
        Given::Text(text) => text.len() <= limit,
        Given::Signed(_) | Given::Unsigned(_) => limit >= LONGEST_NUMBER,
        Given::Result(_) => false,
    };
    if !fits {
        fit_result(output.as_result(), limit);
    }
    output
}

fn fit_result(result: &mut ToolResult, limit: usize) {
    let structured = result.structured.as_ref().map_or(0, |json| json.get().len());
    if structured > limit {
        *result = ToolResult::error(format!(
            "the structured output has {structured} bytes, but only {limit} are allowed: ask for less"
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

/// The bytes that count.
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

/// What remains of something too large: the beginning of a text, and a note in place of anything else.
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

    fn fitted(output: impl Into<ToolOutput>, limit: usize) -> ToolResult {
        fit(output.into(), limit).into()
    }

    #[test]
    fn what_fits_is_left_alone() {
        let result = fitted(ToolResult::text("12345"), 5);
        assert_eq!(result.to_text(), "12345");
    }

    #[test]
    fn one_text_or_number_has_the_same_limit() {
        let text = |text: &str, limit| fitted(ToolOutput::text(text.to_owned()), limit).to_text();
        assert_eq!(text("12345", 5), "12345");
        assert_eq!(text("123456", 5), "12345\n[cut: 5 of 6 bytes]");
        assert_eq!(fitted(i64::MIN, LONGEST_NUMBER).to_text(), i64::MIN.to_string());
        assert_eq!(fitted(u64::MAX, LONGEST_NUMBER).to_text(), u64::MAX.to_string());
        assert_eq!(fitted(123, 2).to_text(), "12\n[cut: 2 of 3 bytes]");
    }

    #[test]
    fn text_is_cut_between_characters_with_a_note() {
        let result = fitted(ToolResult::content(["ääää".into(), "more".into()]), 5);
        assert_eq!(result.to_text(), "ää\n[cut: 5 of 8 bytes]\n[cut: 0 of 4 bytes]");
        assert!(!result.is_error);
    }

    #[test]
    fn what_cannot_be_cut_is_told() {
        let result = fitted(ToolResult::content([Content::image(b"abcd", "image/png")]), 3);
        assert_eq!(result.to_text(), "image/png left out: [cut: 3 of 8 bytes]");
    }

    #[test]
    fn structured_output_over_the_limit_is_an_error() {
        let result = fitted(ToolResult::default().structured(&[1, 2, 3]).unwrap(), 3);
        assert!(result.is_error && result.structured.is_none());
    }
}
