//! A sample type: a parameter type, a tool that takes it, and sample arguments.

use std::sync::Arc;

use mcp_core::dynamic::Tool;
use mcp_core::{Context, ToolSpec, tool_fn};
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

// The arguments of a tool with one parameter, as `#[tool]` generates them.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code)]
struct Parameter<T> {
    value: T,
}

/// A type, a tool that takes it, and samples of arguments.
pub(crate) struct SampleType {
    pub(crate) name: &'static str,
    pub(crate) tool: Arc<dyn Tool>,
    pub(crate) samples: Vec<(Value, Verdict)>,
    wrap: bool,
}

/// The expected result for sample arguments. The text of an error must contain the given words.
#[derive(Clone, Copy)]
pub(crate) enum Verdict {
    /// The schema allows them, and the type accepts them.
    Accepted,
    /// The type accepts them, but the published schema does not: `null` for a missing value, or an alias.
    AcceptedByType,
    /// The schema forbids them.
    RejectedBySchema(&'static str),
    /// The schema allows them, but the type rejects them.
    RejectedByType(&'static str),
}

impl SampleType {
    /// Uses the type for the parameter `value` of a tool. Samples are values of that parameter.
    pub(crate) fn parameter<T: DeserializeOwned + JsonSchema + Send + 'static>(name: &'static str) -> SampleType {
        SampleType { wrap: true, ..SampleType::arguments::<Parameter<T>>(name) }
    }

    /// Uses the type for all arguments of a tool.
    pub(crate) fn arguments<T: DeserializeOwned + JsonSchema + Send + 'static>(name: &'static str) -> SampleType {
        SampleType::new::<T>(name, |spec| spec.input::<T>())
    }

    /// Uses the type for all arguments of a tool that rejects undeclared ones.
    pub(crate) fn closed<T: DeserializeOwned + JsonSchema + Send + 'static>(name: &'static str) -> SampleType {
        SampleType::new::<T>(name, |spec| spec.input::<T>().closed())
    }

    fn new<T: DeserializeOwned + Send + 'static>(name: &'static str, input: impl Fn(ToolSpec) -> ToolSpec) -> SampleType {
        let spec = input(ToolSpec::new(tool_name(name), format!("Take the {name}.")));
        let tool = tool_fn(spec, |_: T, _: Context| async { "taken" });
        SampleType { name, tool, samples: Vec::new(), wrap: false }
    }

    pub(crate) fn accepts(self, samples: impl IntoIterator<Item = Value>) -> SampleType {
        self.with(samples.into_iter().map(|sample| (sample, Verdict::Accepted)))
    }

    pub(crate) fn also_accepts(self, samples: impl IntoIterator<Item = Value>) -> SampleType {
        self.with(samples.into_iter().map(|sample| (sample, Verdict::AcceptedByType)))
    }

    pub(crate) fn rejects(self, samples: impl IntoIterator<Item = (Value, &'static str)>) -> SampleType {
        self.with(samples.into_iter().map(|(sample, words)| (sample, Verdict::RejectedBySchema(words))))
    }

    /// Like `rejects`, but each sample is the whole arguments object.
    pub(crate) fn rejects_arguments(self, samples: impl IntoIterator<Item = (Value, &'static str)>) -> SampleType {
        let wrap = self.wrap;
        let sample = SampleType { wrap: false, ..self }.rejects(samples);
        SampleType { wrap, ..sample }
    }

    pub(crate) fn rejects_when_decoding(self, samples: impl IntoIterator<Item = (Value, &'static str)>) -> SampleType {
        self.with(samples.into_iter().map(|(sample, words)| (sample, Verdict::RejectedByType(words))))
    }

    fn with(mut self, samples: impl IntoIterator<Item = (Value, Verdict)>) -> SampleType {
        let wrap = self.wrap;
        let arguments = |sample| if wrap { json!({"value": sample}) } else { sample };
        self.samples.extend(samples.into_iter().map(|(sample, verdict)| (arguments(sample), verdict)));
        self
    }
}

/// Replaces characters that are not letters or digits by underscores.
fn tool_name(name: &str) -> String {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("_")
}
