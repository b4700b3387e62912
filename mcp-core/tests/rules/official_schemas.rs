//! Validates every response against the official schema of its revision, if the schemas are available.

use std::sync::LazyLock;

use mcp_core::protocol::Revision;
use mcp_schema_check::Checker;
use serde_json::Value;

static CHECKERS: LazyLock<Vec<Option<Checker>>> =
    LazyLock::new(|| Revision::ALL.iter().map(|revision| Checker::new(revision.as_str())).collect());

/// Panics if the response is not valid in the revision that the request names or, if it names none, in the negotiated one.
pub(crate) fn check(line: &[u8], reply: &str, negotiated: Option<Revision>) {
    let question: Value = serde_json::from_slice(line).unwrap_or_default();
    let reply: Value = serde_json::from_str(reply).expect("a session answers JSON");
    if let (Some(questions), Some(replies)) = (question.as_array(), reply.as_array()) {
        for reply in replies {
            let question = questions.iter().find(|question| question.get("id") == reply.get("id")).unwrap_or(&Value::Null);
            check_one(question, reply, negotiated);
        }
    } else {
        check_one(&question, &reply, negotiated);
    }
}

fn check_one(question: &Value, reply: &Value, negotiated: Option<Revision>) {
    let named = question["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"].as_str().and_then(Revision::parse);
    let revision = named.or(negotiated).unwrap_or(Revision::V2024_11_05);
    let Some(checker) = &CHECKERS[revision as usize] else { return };
    let verdict = match question["method"].as_str() {
        // JSON-RPC allows a fraction as an id, the schemas do not.
        _ if reply["id"].is_f64() => return,
        // serde_json cannot parse a request with an unpaired surrogate, so the method is unknown here.
        None if reply.get("result").is_some() => checker.check_reply("tools/call", reply),
        Some(method) if reply.get("id") == question.get("id") => checker.check_reply(method, reply),
        _ => checker.check_error(reply),
    };
    verdict.unwrap_or_else(|violations| panic!("{revision}: {reply}\n{}", violations.join("\n")));
}
