//! What every client must get from the calculator, in each language and mode.

use std::{process::Command, time::Duration};

use serde_json::{Value, json};
use test_env::run;

use crate::STATELESS;

/// The first revision with structured results.
const STRUCTURED: &str = "2025-06-18";

/// The time limit of a client. Generous, because CI machines are slow under load.
const LIMIT: Duration = Duration::from_secs(180);

/// What one client got from the server: a JSON object with one member for each step.
pub(crate) struct ClientReport(Value);

impl ClientReport {
    /// Runs a client script. It prints its report as the last line.
    pub(crate) fn run(command: Command) -> Self {
        let finished = run(command, LIMIT).expect("the client finishes");
        assert!(finished.status.success(), "the client failed: {}\n{}{}", finished.status, finished.stdout, finished.stderr);
        let report = finished.stdout.lines().last().expect("the client prints its report");
        Self(serde_json::from_str(report).expect("the report is JSON"))
    }

    /// The report as JSON.
    pub(crate) fn into_report(self) -> Value {
        self.0
    }

    pub(crate) fn from_json(report: Value) -> Self {
        Self(report)
    }

    /// Checks every step of a client of version `client` that negotiated `revision`.
    #[track_caller]
    pub(crate) fn assert_complete(&self, client: &str, revision: &str) {
        assert_eq!(self.0["client"], client, "the client has another version than the pinned one");
        assert_eq!(self.0["revision"], revision);
        self.tools();
        self.calls();
        self.statistics();
        if revision >= STRUCTURED {
            self.structured_content();
        } else {
            self.no_structured_content();
        }
        self.unknown_tool();
        self.ping(revision);
    }

    /// Checks the name and capabilities of the server. A client that skips discovery does not get them.
    #[track_caller]
    pub(crate) fn assert_server_info(&self) {
        assert_eq!(self.0["server"]["name"], "calculator");
        assert!(self.0["server"]["version"].as_str().is_some_and(|version| !version.is_empty()), "{}", self.0["server"]);
        assert!(self.0["capabilities"]["tools"].is_object(), "{}", self.0["capabilities"]);
    }

    #[track_caller]
    fn tools(&self) {
        let tools = self.0["tools"].as_array().expect("the client lists tools");
        let names: Vec<_> = tools.iter().map(|tool| &tool["name"]).collect();
        assert_eq!(names, ["add", "divide", "statistics"], "tools are listed in the order of registration");
        assert_eq!(tools[0]["description"], "Add two numbers.");
        assert_eq!(tools[0]["inputSchema"]["required"], json!(["a", "b"]));
        assert_eq!(tools[0]["inputSchema"]["properties"]["a"]["type"], "integer");
        assert!(tools[0]["outputSchema"].is_null(), "{}", tools[0]);
    }

    #[track_caller]
    fn calls(&self) {
        assert_eq!(self.0["add"], json!({"is_error": false, "text": "5", "structured": null}));
        assert_eq!(self.0["divide"]["is_error"], true);
        assert!(text(&self.0["divide"]).contains("division by zero"), "{}", self.0["divide"]);
        let wrong = &self.0["wrong_arguments"];
        assert_eq!(wrong["is_error"], true);
        let words: Vec<_> = text(wrong).split(|c: char| !c.is_alphanumeric()).collect();
        assert!(words.contains(&"a") && words.contains(&"integer"), "the error names neither argument nor type: {wrong}");
    }

    /// Checks the text of the structured result, which is all that older clients use.
    #[track_caller]
    fn statistics(&self) {
        let statistics = &self.0["statistics"];
        assert_eq!(statistics["is_error"], false, "{statistics}");
        let parsed: Value = serde_json::from_str(text(statistics)).expect("the text is the structured content as JSON");
        assert_statistics(&parsed);
    }

    #[track_caller]
    fn structured_content(&self) {
        let structured = &self.0["statistics"]["structured"];
        assert_statistics(structured);
        let declared = &self.0["tools"][2]["outputSchema"];
        assert!(declared.is_object(), "{}", self.0["tools"][2]);
        let errors: Vec<_> = jsonschema::validator_for(declared)
            .expect("the output schema is a schema")
            .iter_errors(structured)
            .map(|error| error.to_string())
            .collect();
        assert!(errors.is_empty(), "{structured} does not match {declared}: {errors:?}");
    }

    #[track_caller]
    fn no_structured_content(&self) {
        assert!(self.0["tools"][2]["outputSchema"].is_null(), "{}", self.0["tools"][2]);
        assert!(self.0["statistics"]["structured"].is_null(), "{}", self.0["statistics"]);
    }

    #[track_caller]
    fn unknown_tool(&self) {
        let unknown = &self.0["unknown_tool"];
        assert_eq!(unknown["code"], -32602, "{unknown}");
        assert!(unknown["message"].as_str().is_some_and(|message| message.contains("no_such_tool")), "{unknown}");
    }

    #[track_caller]
    fn ping(&self, revision: &str) {
        let ping = &self.0["ping"];
        if revision < STATELESS {
            assert!(ping.get("result").is_some(), "{ping}");
        } else {
            // An error of the server, or of a client that knows that this revision has no `ping`.
            assert!(ping["code"] == -32601 || ping["kind"] == "SdkError", "{ping}");
        }
    }
}

#[track_caller]
fn assert_statistics(statistics: &Value) {
    assert_eq!(statistics["count"].as_u64(), Some(3), "{statistics}");
    for (name, value) in [("mean", 3.0), ("min", 1.0), ("max", 6.0)] {
        assert_eq!(statistics[name].as_f64(), Some(value), "{name} in {statistics}");
    }
}

fn text(result: &Value) -> &str {
    result["text"].as_str().expect("a result has text")
}
