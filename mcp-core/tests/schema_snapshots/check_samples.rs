//! Checks that a sample type and its schema accept and reject its samples.

use mcp_core::transport::Session;
use serde_json::Value;

use crate::sample_types::{SampleType, Verdict};
use crate::session::{call, list, open};

/// Returns the published input schema of a sample type.
pub(crate) fn schema(sample: &SampleType) -> Value {
    list(&open([sample.tool.clone()]))["result"]["tools"][0]["inputSchema"].clone()
}

/// Returns a description of each sample that does not behave as declared.
pub(crate) fn problems(sample: &SampleType) -> Vec<String> {
    let session = open([sample.tool.clone()]);
    let validator = jsonschema::draft202012::options().should_validate_formats(true).build(&schema(sample)).unwrap();
    let mut problems = Vec::new();
    for (arguments, verdict) in &sample.samples {
        let (allowed, words) = match *verdict {
            Verdict::Accepted => (true, None),
            Verdict::AcceptedByType => (false, None),
            Verdict::RejectedBySchema(words) => (false, Some(words)),
            Verdict::RejectedByType(words) => (true, Some(words)),
        };
        problems.extend(call_problem(&session, arguments, words));
        if validator.is_valid(arguments) != allowed {
            problems.push(format!("schema: expected {arguments} to be {}", if allowed { "allowed" } else { "rejected" }));
        }
    }
    let any = |wanted: fn(&Verdict) -> bool| sample.samples.iter().any(|(_, verdict)| wanted(verdict));
    if !any(|verdict| matches!(verdict, Verdict::Accepted))
        || !any(|verdict| matches!(verdict, Verdict::RejectedBySchema(_)))
    {
        problems.push("needs at least one accepted and one rejected sample".to_owned());
    }
    problems.into_iter().map(|problem| format!("{}: {problem}", sample.name)).collect()
}

/// Calls the tool. Returns a problem unless the error contains `words`, or there is none and `words` is `None`.
fn call_problem(session: &Session, arguments: &Value, words: Option<&str>) -> Option<String> {
    match (call(session, &arguments.to_string()), words) {
        (Ok(()), None) => None,
        (Ok(()), Some(_)) => Some(format!("accepts {arguments}")),
        (Err(answer), None) => Some(format!("rejects {arguments}: {answer}")),
        (Err(answer), Some(words)) if answer.contains(words) => None,
        (Err(answer), Some(words)) => Some(format!("{arguments}: expected {words:?} in the error: {answer}")),
    }
}
