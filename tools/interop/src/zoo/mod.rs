//! The zoo of parameter types, as a server.

mod outputs;
#[path = "../../../../mcp-core/tests/schema_snapshots/sample_types/mod.rs"]
mod sample_types;

use std::sync::Arc;

use mcp_core::Toolset as _;
use mcp_core::dynamic::Tool;
use serde_json::Value;

use sample_types::Verdict;

pub use outputs::{Output, outputs};

/// A tool for each parameter type of the zoo of mcp-core, and one for each kind of output.
#[must_use]
pub fn zoo() -> Vec<Arc<dyn Tool>> {
    sample_types::all().into_iter().map(|animal| animal.tool).chain(outputs::tools().into_tools()).collect()
}

/// Arguments for a tool of the [`zoo`], and what must become of them.
#[derive(Debug)]
#[non_exhaustive]
pub struct Sample {
    /// The type that the tool takes, in the author's words.
    pub takes: &'static str,
    /// The tool.
    pub tool: String,
    /// What to call it with.
    pub arguments: Value,
    /// The words of the refusal, or none if the tool takes the arguments.
    pub refusal: Option<&'static str>,
}

/// All samples of all types that a client can send: it says arguments by name, so they are an object.
#[must_use]
pub fn samples() -> Vec<Sample> {
    let of_animal = |animal: sample_types::SampleType| {
        let tool = animal.tool.spec().name().to_owned();
        animal.samples.into_iter().map(move |(arguments, verdict)| Sample {
            takes: animal.name,
            tool: tool.clone(),
            arguments,
            refusal: match verdict {
                Verdict::Accepted | Verdict::AcceptedByType => None,
                Verdict::RejectedBySchema(words) | Verdict::RejectedByType(words) => Some(words),
            },
        })
    };
    sample_types::all().into_iter().flat_map(of_animal).filter(|sample| sample.arguments.is_object()).collect()
}

#[cfg(test)]
mod tests {
    use mcp_core::Server;

    use super::{outputs, samples, zoo};

    #[test]
    fn every_tool_of_the_zoo_has_a_name_of_its_own_and_a_sample() {
        let server = Server::builder("zoo", "1.0.0").tools(zoo()).build().unwrap();
        let called: Vec<_> = samples().into_iter().map(|sample| sample.tool).collect();
        let given: Vec<_> = outputs().into_iter().map(|output| output.tool).collect();
        for tool in server.tools() {
            let name = tool.name();
            assert!(called.iter().any(|called| called == name) || given.contains(&name), "{name}");
            // The name under which Claude Code shows it to a model.
            assert!(format!("mcp__zoo__{name}").len() <= 64, "{name}");
        }
        assert!(server.tools().count() >= 60);
    }
}
