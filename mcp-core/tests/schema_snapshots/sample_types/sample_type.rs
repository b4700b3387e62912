//! A sample type as the parameter of a tool.

use std::sync::Arc;

use mcp_core::dynamic::Tool;
use mcp_core::{Context, ToolSpec, tool_fn};
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

// A tool with one parameter, as `#[tool]` writes its arguments.
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

/// What must become of arguments. Words are in the answer.
#[derive(Clone, Copy)]
pub(crate) enum Verdict {
    /// The schema allows them and the type takes them.
    Accepted,
    /// The type takes them although the published schema does not mention them: `null` for nothing, or another name.
    Tolerated,
    /// The schema forbids them.
    Rejected(&'static str),
    /// The schema cannot forbid them but the type does.
    Refused(&'static str),
}

impl SampleType {
    /// The type as the parameter `value` of a tool; samples are values of that parameter.
    pub(crate) fn parameter<T: DeserializeOwned + JsonSchema + Send + 'static>(name: &'static str) -> SampleType {
        SampleType { wrap: true, ..SampleType::arguments::<Parameter<T>>(name) }
    }

    /// The type as all arguments of a tool.
    pub(crate) fn arguments<T: DeserializeOwned + JsonSchema + Send + 'static>(name: &'static str) -> SampleType {
        SampleType::new::<T>(name, |spec| spec.input::<T>())
    }

    /// The type as all arguments of a tool that takes no others.
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

    pub(crate) fn tolerates(self, samples: impl IntoIterator<Item = Value>) -> SampleType {
        self.with(samples.into_iter().map(|sample| (sample, Verdict::Tolerated)))
    }

    pub(crate) fn rejects(self, samples: impl IntoIterator<Item = (Value, &'static str)>) -> SampleType {
        self.with(samples.into_iter().map(|(sample, words)| (sample, Verdict::Rejected(words))))
    }

    /// Like `rejects`, but with all arguments in the sample.
    pub(crate) fn rejects_arguments(self, samples: impl IntoIterator<Item = (Value, &'static str)>) -> SampleType {
        let wrap = self.wrap;
        let sample = SampleType { wrap: false, ..self }.rejects(samples);
        SampleType { wrap, ..sample }
    }

    pub(crate) fn refuses(self, samples: impl IntoIterator<Item = (Value, &'static str)>) -> SampleType {
        self.with(samples.into_iter().map(|(sample, words)| (sample, Verdict::Refused(words))))
    }

    fn with(mut self, samples: impl IntoIterator<Item = (Value, Verdict)>) -> SampleType {
        let wrap = self.wrap;
        let arguments = |sample| if wrap { json!({"value": sample}) } else { sample };
        self.samples.extend(samples.into_iter().map(|(sample, verdict)| (arguments(sample), verdict)));
        self
    }
}

/// The letters and digits of a name, and lines between them.
fn tool_name(name: &str) -> String {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("_")
}
