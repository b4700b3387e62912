//! The tools of a server, found by name and listed in order.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use serde_json::{Map, Value, json};

use crate::jsonrpc::RpcError;
use crate::protocol::Revision;
use crate::schema::InputSchema;
use crate::spec::{TaskSupport, ToolSpec};
use crate::tool::Tool;

/// How long a client may keep a list, in milliseconds: a built server does not change.
const TTL_MS: u64 = 3_600_000;

/// A registered tool.
pub(crate) struct Entry {
    pub(crate) spec: ToolSpec,
    pub(crate) tool: Arc<dyn Tool>,
    pub(crate) input: InputSchema,
    /// Its output is no object, so older revisions get it wrapped in one.
    pub(crate) wraps_output: bool,
}

impl Entry {
    pub(crate) fn new(tool: Arc<dyn Tool>) -> Entry {
        let spec = tool.spec();
        let wraps_output = spec.output.as_ref().is_some_and(|schema| schema.needs_wrap());
        Entry { input: spec.input.clone(), spec, tool, wraps_output }
    }

    pub(crate) fn name(&self) -> &str {
        self.spec.name()
    }

    /// The tool as a list shows it, with what that revision knows.
    pub(crate) fn describe(&self, revision: Revision) -> Value {
        let spec = &self.spec;
        let mut tool = Map::new();
        tool.insert("name".into(), json!(spec.name));
        if let Some(title) = spec.title.as_ref().filter(|_| revision.has_structured_output()) {
            tool.insert("title".into(), json!(title));
        }
        tool.insert("description".into(), json!(spec.description));
        tool.insert("inputSchema".into(), spec.input.as_json().clone());
        if let Some(output) = spec.output.as_ref().filter(|_| revision.has_structured_output()) {
            let wrap = self.wraps_output && !revision.has_any_structured_output();
            tool.insert("outputSchema".into(), if wrap { output.wrapped() } else { output.as_json().clone() });
        }
        let mut annotations = spec.annotations.clone();
        if !revision.has_structured_output() {
            annotations.title = spec.title.as_ref().map(ToString::to_string);
        }
        if annotations != Default::default() && revision.has_annotations() {
            tool.insert("annotations".into(), json!(annotations));
        }
        if !spec.icons.is_empty() && revision.has_icons() {
            tool.insert("icons".into(), json!(spec.icons));
        }
        if spec.task_support != TaskSupport::Forbidden && revision.has_core_tasks() {
            tool.insert("execution".into(), json!({"taskSupport": spec.task_support.as_str()}));
        }
        if !spec.meta.is_empty() && revision.has_structured_output() {
            tool.insert("_meta".into(), json!(spec.meta));
        }
        Value::Object(tool)
    }
}

/// All tools of a server.
pub(crate) struct Listing {
    entries: Vec<Entry>,
    names: HashMap<String, usize>,
    page_size: usize,
    stamp: String,
    /// The first page in each revision: nearly every list that is asked for, and always the same bytes.
    first_pages: [OnceLock<Arc<str>>; Revision::ALL.len()],
}

impl Listing {
    pub(crate) fn new(entries: Vec<Entry>, names: HashMap<String, usize>, page_size: usize, stamp: &str) -> Listing {
        Listing { entries, names, page_size, stamp: stamp.to_owned(), first_pages: Default::default() }
    }

    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    pub(crate) fn find(&self, name: &str) -> Option<usize> {
        self.names.get(name).copied()
    }

    /// The result of `tools/list`. A cursor is the name of the last tool that the client has seen.
    pub(crate) fn page(&self, cursor: Option<&str>, revision: Revision) -> Result<Arc<str>, RpcError> {
        let Some(cursor) = cursor else {
            let page = &self.first_pages[revision as usize];
            return Ok(page.get_or_init(|| self.render(0, revision)).clone());
        };
        let last = self.find(cursor).ok_or_else(|| RpcError::invalid_params("this cursor did not come from here"))?;
        Ok(self.render(last + 1, revision))
    }

    fn render(&self, start: usize, revision: Revision) -> Arc<str> {
        let end = start.saturating_add(self.page_size).min(self.entries.len());
        let tools: Vec<String> = self.entries[start..end].iter().map(|entry| entry.describe(revision).to_string()).collect();
        let mut page = format!(r#"{{"tools":[{}]"#, tools.join(","));
        if end < self.entries.len() {
            page += &format!(r#","nextCursor":{}"#, json!(self.entries[end - 1].name()));
        }
        if revision.is_stateless() {
            page += &format!(r#","ttlMs":{TTL_MS},"cacheScope":"public","resultType":"complete","_meta":{}"#, self.stamp);
        }
        page.push('}');
        page.into()
    }
}
