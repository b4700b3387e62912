//! Prompts in the result of `prompts/list`.

use std::sync::Arc;

use serde::Serialize;
use serde_json::{Map, Value};

use super::Listed;
use crate::prompt::Prompt;
use crate::prompt::spec::PromptSpec;
use crate::protocol::{Icon, Revision};
use crate::schema::InputSchema;

/// A registered prompt.
pub(crate) struct PromptEntry {
    pub(crate) spec: PromptSpec,
    pub(crate) prompt: Arc<dyn Prompt>,
    pub(crate) input: InputSchema,
}

impl PromptEntry {
    pub(crate) fn new(prompt: Arc<dyn Prompt>) -> PromptEntry {
        let spec = prompt.spec();
        PromptEntry { input: spec.schema(), spec, prompt }
    }
}

impl Listed for PromptEntry {
    const FIELD: &'static str = "prompts";

    fn key(&self) -> &str {
        self.spec.name()
    }

    fn describe(&self, revision: Revision) -> impl Serialize {
        let (spec, newer) = (&self.spec, revision.has_structured_output());
        let arguments = spec.arguments.iter().map(|argument| Argument {
            name: &argument.name,
            title: argument.title.as_deref().filter(|_| newer),
            description: argument.description.as_deref(),
            required: argument.required,
        });
        Description {
            name: &spec.name,
            title: spec.title.as_deref().filter(|_| newer),
            description: &spec.description,
            arguments: arguments.collect(),
            icons: if revision.has_icons() { &spec.icons } else { &[] },
            meta: Some(&spec.meta).filter(|meta| newer && !meta.is_empty()),
        }
    }
}

/// The wire format of a prompt.
#[derive(Serialize)]
struct Description<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
    description: &'a str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    arguments: Vec<Argument<'a>>,
    #[serde(skip_serializing_if = "<[Icon]>::is_empty")]
    icons: &'a [Icon],
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    meta: Option<&'a Map<String, Value>>,
}

#[derive(Serialize)]
struct Argument<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    required: bool,
}
