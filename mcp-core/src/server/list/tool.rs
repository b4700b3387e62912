//! Tools in the result of `tools/list`.

use std::borrow::Cow;
use std::sync::Arc;

use serde::Serialize;
use serde_json::{Map, Value};

use super::Listed;
use crate::protocol::{Icon, Revision, ToolAnnotations};
use crate::schema::InputSchema;
use crate::task::TaskSupport;
use crate::tool::Tool;
use crate::tool::header_param::HeaderParam;
use crate::tool::spec::ToolSpec;

/// A registered tool.
pub(crate) struct Entry {
    pub(crate) spec: ToolSpec,
    pub(crate) tool: Arc<dyn Tool>,
    pub(crate) input: InputSchema,
    /// Whether the output is not an object, so that it is wrapped in one for older revisions.
    pub(crate) wraps_output: bool,
    pub(crate) header_params: Arc<[HeaderParam]>,
}

impl Entry {
    pub(crate) fn new(tool: Arc<dyn Tool>) -> Entry {
        let spec = tool.spec();
        let wraps_output = spec.output.as_ref().is_some_and(|schema| schema.needs_wrap());
        // Invalid header parameters are reported as a fault by `Faults::check_tool`.
        let header_params = spec.input.header_params().unwrap_or_default().into();
        Entry { input: spec.input.clone(), spec, tool, wraps_output, header_params }
    }

    pub(crate) fn name(&self) -> &str {
        self.spec.name()
    }
}

impl Listed for Entry {
    const FIELD: &'static str = "tools";

    fn key(&self) -> &str {
        self.name()
    }

    fn describe(&self, revision: Revision) -> impl Serialize {
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

/// The wire format of a tool.
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
