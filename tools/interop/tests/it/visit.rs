//! What every client must have seen of the calculator, whatever its language and mode.

use std::{process::Command, time::Duration};

use interop::run;
use serde_json::{Value, json};

use crate::STATELESS;

/// The revision that brought structured results.
const STRUCTURED: &str = "2025-06-18";

/// Far above what a loaded machine needs; only a client that hangs comes here.
const LIMIT: Duration = Duration::from_secs(180);

/// The report of one visit, a single JSON object whose members are named like the methods below.
pub(crate) struct Visit(Value);

impl Visit {
    /// Runs a client script, which prints its report when all has gone as it expected.
    pub(crate) fn run(command: Command) -> Self {
        let finished = run(command, LIMIT).expect("the client runs to its end");
        assert!(finished.status.success(), "the client failed: {}\n{}{}", finished.status, finished.stdout, finished.stderr);
        let report = finished.stdout.lines().last().expect("the client prints its report");
        Self(serde_json::from_str(report).expect("the report is JSON"))
    }

    /// The report itself.
    pub(crate) fn into_report(self) -> Value {
        self.0
    }

    pub(crate) fn reported(report: Value) -> Self {
        Self(report)
    }

    /// Every step, with a client of version `client` that negotiated `revision`.
    #[track_caller]
    pub(crate) fn assert_complete(&self, client: &str, revision: &str) {
        assert_eq!(self.0["client"], client, "the pinned client was not the one that ran");
        assert_eq!(self.0["revision"], revision);
        self.tools();
        self.calls();
        self.statistics();
        if revision >= STRUCTURED {
            self.structure()
        } else {
            self.no_structure()
        }
        self.refusals();
        self.ping(revision);
    }

    /// That the server said who it is, which a client that skips discovery does not ask.
    #[track_caller]
    pub(crate) fn assert_introduced(&self) {
        assert_eq!(self.0["server"]["name"], "calculator");
        assert!(self.0["server"]["version"].as_str().is_some_and(|version| !version.is_empty()), "{}", self.0["server"]);
        assert!(self.0["capabilities"]["tools"].is_object(), "{}", self.0["capabilities"]);
    }

    #[track_caller]
    fn tools(&self) {
        let tools = self.0["tools"].as_array().expect("the client lists tools");
        let names: Vec<_> = tools.iter().map(|tool| &tool["name"]).collect();
        assert_eq!(names, ["add", "divide", "statistics"], "in the order of registration");
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
        assert!(words.contains(&"a") && words.contains(&"integer"), "names neither argument nor type: {wrong}");
    }

    /// The text alone, which is all that older clients know.
    #[track_caller]
    fn statistics(&self) {
        let statistics = &self.0["statistics"];
        assert_eq!(statistics["is_error"], false, "{statistics}");
        let told: Value = serde_json::from_str(text(statistics)).expect("the text is the structure as JSON");
        assert_statistics(&told);
    }

    #[track_caller]
    fn structure(&self) {
        let structured = &self.0["statistics"]["structured"];
        assert_statistics(structured);
        let declared = &self.0["tools"][2]["outputSchema"];
        assert!(declared.is_object(), "{}", self.0["tools"][2]);
        let errors: Vec<_> = jsonschema::validator_for(declared)
            .expect("the output schema is a schema")
            .iter_errors(structured)
            .map(|error| error.to_string())
            .collect();
        assert!(errors.is_empty(), "{structured} is not {declared}: {errors:?}");
    }

    #[track_caller]
    fn no_structure(&self) {
        assert!(self.0["tools"][2]["outputSchema"].is_null(), "{}", self.0["tools"][2]);
        assert!(self.0["statistics"]["structured"].is_null(), "{}", self.0["statistics"]);
    }

    #[track_caller]
    fn refusals(&self) {
        let unknown = &self.0["unknown_tool"];
        assert_eq!(unknown["code"], -32602, "{unknown}");
        assert!(unknown["message"].as_str().is_some_and(|message| message.contains("no_such_tool")), "{unknown}");
    }

    #[track_caller]
    fn ping(&self, revision: &str) {
        let ping = &self.0["ping"];
        if revision < STATELESS {
            assert!(ping.get("answered").is_some(), "{ping}");
        } else {
            // Refused by the server, or by a client that knows that there is none.
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

fn text(answer: &Value) -> &str {
    answer["text"].as_str().expect("an answer has text")
}
