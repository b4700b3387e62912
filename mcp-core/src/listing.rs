//! The tools of a server, found by name and listed in order.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::jsonrpc::RpcError;
use crate::protocol::{Icon, Revision, ToolAnnotations};
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
    pub(crate) fn describe(&self, revision: Revision) -> impl Serialize {
        let spec = &self.spec;
        let (structured, title) = (revision.has_structured_output(), spec.title.as_deref());
        let mut annotations = spec.annotations.clone();
        if !structured {
            annotations.title = title.map(str::to_owned);
        }
        Description {
            name: &spec.name,
            title: title.filter(|_| structured),
            description: &spec.description,
            input_schema: spec.input.as_json(),
            output_schema: spec.output.as_ref().filter(|_| structured).map(|output| match self.wraps_output {
                true if !revision.has_any_structured_output() => Cow::Owned(output.wrapped()),
                _ => Cow::Borrowed(output.as_json()),
            }),
            annotations: Some(annotations)
                .filter(|hints| revision.has_annotations() && *hints != ToolAnnotations::default()),
            icons: if revision.has_icons() { &spec.icons } else { &[] },
            execution: (spec.task_support != TaskSupport::Forbidden && revision.has_core_tasks())
                .then(|| Execution { task_support: spec.task_support.as_str() }),
            meta: Some(&spec.meta).filter(|meta| structured && !meta.is_empty()),
        }
    }
}

/// A tool on the wire.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Description<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
    description: &'a str,
    input_schema: &'a Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_schema: Option<Cow<'a, Value>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    annotations: Option<ToolAnnotations>,
    #[serde(skip_serializing_if = "<[Icon]>::is_empty")]
    icons: &'a [Icon],
    #[serde(skip_serializing_if = "Option::is_none")]
    execution: Option<Execution>,
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    meta: Option<&'a Map<String, Value>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Execution {
    task_support: &'static str,
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
        let tools: Vec<String> = self.entries[start..end].iter().map(|entry| to_json(&entry.describe(revision))).collect();
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

fn to_json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("maps with string keys are JSON")
}
