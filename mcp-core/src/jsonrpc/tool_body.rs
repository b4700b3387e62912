//! Encodes the result of a tool for the revision of the request.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::lex::is_plain;
use super::response::write_json;
use crate::protocol::{Content, Revision, Text, meta};
use crate::server::Server;
use crate::server::registry::Registry;
use crate::tool::result::ToolResult;

/// The result of a tool, and the revision to encode it for.
#[derive(Debug)]
pub(crate) struct ToolBody {
    pub(crate) result: ToolResult,
    revision: Revision,
    /// Whether structured output is wrapped in an object, for revisions that allow only objects.
    wrap: bool,
    /// Set in revisions whose results include the server info.
    server: Option<Arc<Registry>>,
}

impl ToolBody {
    pub(crate) fn new(result: ToolResult, revision: Revision, wrap: bool, server: &Server) -> ToolBody {
        ToolBody { result, revision, wrap, server: revision.is_stateless().then(|| server.registry.clone()) }
    }

    /// Appends the JSON of the result.
    pub(super) fn encode(&self, out: &mut Vec<u8>) {
        let result = &self.result;
        out.extend_from_slice(br#"{"content":["#);
        for (index, content) in result.content.iter().enumerate() {
            if index > 0 {
                out.push(b',');
            }
            write_content(content, self.revision, out);
        }
        match &result.structured {
            None => out.push(b']'),
            Some(structured) => self.encode_structured(structured.get(), result.content.is_empty(), out),
        }
        if result.is_error {
            out.extend_from_slice(br#","isError":true"#);
        }
        if self.server.is_some() || result.meta.is_some() {
            self.encode_meta(result.meta.as_ref(), out);
        }
        out.push(b'}');
    }

    /// Writes the end of the content and the structured output.
    fn encode_structured(&self, structured: &str, as_text: bool, out: &mut Vec<u8>) {
        if as_text {
            write_text(structured, out);
        }
        out.push(b']');
        if !self.revision.has_structured_output() {
            return;
        }
        let wrap = self.wrap && !self.revision.has_any_structured_output();
        out.extend_from_slice(if wrap { br#","structuredContent":{"result":"# } else { br#","structuredContent":"# });
        out.extend_from_slice(structured.as_bytes());
        out.extend_from_slice(if wrap { b"}" } else { b"" });
    }

    fn encode_meta(&self, own: Option<&Map<String, Value>>, out: &mut Vec<u8>) {
        if let Some(server) = &self.server {
            out.extend_from_slice(br#","resultType":"complete","_meta":"#);
            match own {
                None => out.extend_from_slice(server.stamp.as_bytes()),
                Some(own) => {
                    let mut stamped = own.clone();
                    stamped.entry(meta::SERVER_INFO).or_insert_with(|| server.info_for(self.revision));
                    write_json(&stamped, out);
                }
            }
        } else if let Some(own) = own {
            out.extend_from_slice(br#","_meta":"#);
            write_json(own, out);
        }
    }

    /// Returns the approximate length of the JSON text.
    pub(super) fn expected_length(&self) -> usize {
        const FRAME_LENGTH: usize = 64;
        let text = |content: &Content| content.as_text().map_or(0, str::len);
        let structured = self.result.structured.as_ref().map_or(0, |json| json.get().len());
        FRAME_LENGTH + self.result.content.iter().map(text).sum::<usize>() + 2 * structured
    }
}

fn write_content(content: &Content, revision: Revision, out: &mut Vec<u8>) {
    match content {
        // Fast path: nearly every result is a plain text.
        Content::Text(Text { text, annotations: None, meta: None }) => write_text(text, out),
        _ => write_json(&*content.for_revision(revision), out),
    }
}

fn write_text(text: &str, out: &mut Vec<u8>) {
    if is_plain(text) {
        out.extend_from_slice(br#"{"type":"text","text":""#);
        out.extend_from_slice(text.as_bytes());
        out.extend_from_slice(br#""}"#);
    } else {
        out.extend_from_slice(br#"{"type":"text","text":"#);
        write_json(text, out);
        out.push(b'}');
    }
}
