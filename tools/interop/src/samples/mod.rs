//! A server with a tool for each type of parameter and output.

mod outputs;
#[path = "../../../../mcp-core/tests/schema_snapshots/sample_types/mod.rs"]
mod sample_types;

use std::sync::Arc;

use mcp_core::Toolset as _;
use mcp_core::dynamic::Tool;
use serde_json::Value;

use sample_types::Verdict;

pub use outputs::{Output, outputs};

/// A tool for each sample type of the schema tests of mcp-core, and one for each type of output.
#[must_use]
pub fn sample_tools() -> Vec<Arc<dyn Tool>> {
    sample_types::all().into_iter().map(|sample| sample.tool).chain(outputs::tools().into_tools()).collect()
}

/// Arguments for one of the [`sample_tools`], and the expected result.
#[derive(Debug)]
#[non_exhaustive]
pub struct SampleCall {
    /// The Rust type of the parameter.
    pub takes: &'static str,
    /// The name of the tool.
    pub tool: String,
    /// The arguments of the call.
    pub arguments: Value,
    /// Text of the expected error, or `None` if the tool accepts the arguments.
    pub error: Option<&'static str>,
}

/// The calls with all samples of all types. Arguments are named, so only samples that are objects can be sent.
#[must_use]
pub fn sample_calls() -> Vec<SampleCall> {
    let calls_of = |sample: sample_types::SampleType| {
        let tool = sample.tool.spec().name().to_owned();
        sample.samples.into_iter().map(move |(arguments, verdict)| SampleCall {
            takes: sample.name,
            tool: tool.clone(),
            arguments,
            error: match verdict {
                Verdict::Accepted | Verdict::AcceptedByType => None,
                Verdict::RejectedBySchema(words) | Verdict::RejectedByType(words) => Some(words),
            },
        })
    };
    sample_types::all().into_iter().flat_map(calls_of).filter(|call| call.arguments.is_object()).collect()
}

#[cfg(test)]
mod tests {
    use mcp_core::Server;

    use super::{outputs, sample_calls, sample_tools};

    #[test]
    fn every_sample_tool_has_a_unique_name_and_a_call() {
        let server = Server::builder("samples", "1.0.0").tools(sample_tools()).build().unwrap();
        let called: Vec<_> = sample_calls().into_iter().map(|sample| sample.tool).collect();
        let given: Vec<_> = outputs().into_iter().map(|output| output.tool).collect();
        for tool in server.tools() {
            let name = tool.name();
            assert!(called.iter().any(|called| called == name) || given.contains(&name), "{name}");
            // The name that Claude Code shows to the model.
            assert!(format!("mcp__samples__{name}").len() <= 64, "{name}");
        }
        assert!(server.tools().count() >= 60);
    }
}
