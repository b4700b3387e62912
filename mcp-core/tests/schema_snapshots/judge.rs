//! Whether a sample type accepts and rejects what its examples say.

use mcp_core::transport::Session;
use serde_json::Value;

use crate::sample_types::{SampleType, Verdict};
use crate::session::{call, list, open};

/// The input schema that clients see of a sample type.
pub(crate) fn schema(sample: &SampleType) -> Value {
    list(&open([sample.tool.clone()]))["result"]["tools"][0]["inputSchema"].clone()
}

/// Every sample that does not go the way it should.
pub(crate) fn problems(sample: &SampleType) -> Vec<String> {
    let session = open([sample.tool.clone()]);
    let validator = jsonschema::draft202012::new(&schema(sample)).unwrap();
    let mut problems = Vec::new();
    for (arguments, verdict) in &sample.samples {
        let (allowed, words) = match *verdict {
            Verdict::Accepted => (true, None),
            Verdict::Tolerated => (false, None),
            Verdict::Rejected(words) => (false, Some(words)),
            Verdict::Refused(words) => (true, Some(words)),
        };
        problems.extend(answered(&session, arguments, words));
        if validator.is_valid(arguments) != allowed {
            problems.push(format!("that its schema allows {arguments} is {}", !allowed));
        }
    }
    let any = |wanted: fn(&Verdict) -> bool| sample.samples.iter().any(|(_, verdict)| wanted(verdict));
    if !any(|verdict| matches!(verdict, Verdict::Accepted)) || !any(|verdict| matches!(verdict, Verdict::Rejected(_))) {
        problems.push("it lacks samples".to_owned());
    }
    problems.into_iter().map(|problem| format!("{}: {problem}", sample.name)).collect()
}

/// What is wrong with the answer to these arguments: it is to have the words, or to be no refusal.
fn answered(session: &Session, arguments: &Value, words: Option<&str>) -> Option<String> {
    match (call(session, &arguments.to_string()), words) {
        (Ok(()), None) => None,
        (Ok(()), Some(_)) => Some(format!("takes {arguments}")),
        (Err(answer), None) => Some(format!("does not take {arguments}: {answer}")),
        (Err(answer), Some(words)) if answer.contains(words) => None,
        (Err(answer), Some(words)) => Some(format!("{arguments}: no word of {words:?} in: {answer}")),
    }
}
