//! The result of a tool, in the words of a revision.

use std::sync::Arc;

use super::lex::is_plain;
use super::response::write_json;
use crate::protocol::{Content, Revision, Text, meta};
use crate::registry::Registry;
use crate::result::ToolResult;
use crate::server::Server;

/// What came out of a tool, and in whose words it is told.
#[derive(Debug)]
pub(crate) struct ToolBody {
    pub(crate) result: ToolResult,
    revision: Revision,
    /// Output that is no object stands in one, where the revision knows nothing else.
    wrap: bool,
    /// Who answers, where the revision has that told with every result.
    server: Option<Arc<Registry>>,
}

impl ToolBody {
    pub(crate) fn new(result: ToolResult, revision: Revision, wrap: bool, server: &Server) -> ToolBody {
        ToolBody { result, revision, wrap, server: revision.is_stateless().then(|| server.registry.clone()) }
    }

    /// Writes the result in the words of the revision, straight into the output.
    pub(super) fn encode(&self, out: &mut Vec<u8>) {
        let ToolBody { result, revision, .. } = self;
        out.extend_from_slice(br#"{"content":["#);
        for (index, content) in result.content.iter().enumerate() {
            if index > 0 {
                out.push(b',');
            }
            write_content(content, *revision, out);
        }
        match &result.structured {
            None => out.push(b']'),
            Some(structured) => self.encode_structured(structured.get(), out),
        }
        if result.is_error {
            out.extend_from_slice(br#","isError":true"#);
        }
        if self.server.is_some() || result.meta.is_some() {
            self.encode_meta(out);
        }
        out.push(b'}');
    }

    /// Writes the end of the content and the structured output.
    fn encode_structured(&self, structured: &str, out: &mut Vec<u8>) {
        if self.result.content.is_empty() {
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

    fn encode_meta(&self, out: &mut Vec<u8>) {
        let own = &self.result.meta;
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

    /// About how long the JSON text is.
    pub(super) fn expected_length(&self) -> usize {
        const AROUND: usize = 64;
        let text = |content: &Content| content.as_text().map_or(0, str::len);
        let structured = self.result.structured.as_ref().map_or(0, |json| json.get().len());
        AROUND + self.result.content.iter().map(text).sum::<usize>() + 2 * structured
    }
}

fn write_content(content: &Content, revision: Revision, out: &mut Vec<u8>) {
    match content {
        // Nearly every result is one of these.
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
