//! Talks to an example server that is mounted in an agent session. The test plays the part of the CLI.

use mcp_agent::{Agent, Session};
use mcp_agent_test::ManualCli;
use mcp_core::Builder;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tokio::runtime::Runtime;
use tokio::time::timeout;

use crate::built_examples::TEST_TIMEOUT;
use crate::conversation::{Converse, LAST, collect};

/// A mounted server.
///
/// Frames are written and read as text, so that the server's messages are compared byte by byte.
pub(crate) struct Mounted {
    cli: ManualCli,
    /// The sent lines. The index of a line is the id of its control request.
    sent: Vec<String>,
    _session: Session,
    // Dropped after the session, whose tasks run on it.
    runtime: Runtime,
}

/// A frame from the runner: a request, or a response.
#[derive(Deserialize)]
struct Frame {
    #[serde(default)]
    request_id: Value,
    request: Option<Request>,
    response: Option<Answer>,
}

#[derive(Deserialize)]
struct Request {
    message: Option<Box<RawValue>>,
}

#[derive(Deserialize)]
struct Answer {
    request_id: usize,
    error: Option<String>,
    response: Option<Payload>,
}

#[derive(Deserialize)]
struct Payload {
    mcp_response: Box<RawValue>,
}

impl Mounted {
    pub(crate) fn new(server: Builder) -> Mounted {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_time().build().expect("a runtime");
        let (transport, mut cli) = ManualCli::new();
        let opening = runtime.spawn(Agent::new().mount("server", server).transport(transport).open());
        let session = runtime.block_on(async {
            let initialize = hear(&mut cli).await;
            acknowledge(&cli, &initialize.request_id);
            opening.await.expect("no panic").expect("the session opens")
        });
        Mounted { cli, sent: Vec::new(), _session: session, runtime }
    }

    fn send(&mut self, line: &str) {
        let id = self.sent.len();
        let request = format!(r#"{{"subtype":"mcp_message","server_name":"server","message":{line}}}"#);
        self.cli.send_line(format!(r#"{{"type":"control_request","request_id":{id},"request":{request}}}"#));
        self.sent.push(line.to_owned());
    }

    /// Returns the next message of the server.
    fn receive(&mut self) -> String {
        loop {
            let frame = self.runtime.block_on(hear(&mut self.cli));
            if let Some(message) = frame.request.and_then(|request| request.message) {
                acknowledge(&self.cli, &frame.request_id);
                return message.get().to_owned();
            }
            if let Some(response) = frame.response.and_then(|answer| self.response(answer)) {
                return response;
            }
        }
    }

    /// Returns the server's response, or `None` for the acknowledgement of a message without a response.
    fn response(&self, answer: Answer) -> Option<String> {
        let sent = &self.sent[answer.request_id];
        let Some(Payload { mcp_response }) = answer.response else {
            assert_eq!(answer.error.as_deref(), Some("cancelled"), "{sent}");
            return None;
        };
        // A notification or response gets an empty result as acknowledgement.
        let acknowledged = parse::<Value>(mcp_response.get().as_bytes()) == json!({"jsonrpc": "2.0", "id": 0, "result": {}});
        let sent: Value = parse(sent.as_bytes());
        let wants_it = sent["id"] == 0 && sent.get("method").is_some();
        (!acknowledged || wants_it).then(|| mcp_response.get().to_owned())
    }
}

impl Converse for Mounted {
    fn converse(&mut self, lines: &[String], answers: usize) -> Vec<String> {
        lines.iter().for_each(|line| self.send(line));
        self.send(LAST);
        collect(answers, || self.receive())
    }
}

async fn hear(cli: &mut ManualCli) -> Frame {
    parse(&timeout(TEST_TIMEOUT, cli.next_line()).await.expect("the runner answers").expect("the runner is there"))
}

fn acknowledge(cli: &ManualCli, request_id: &Value) {
    let response = json!({"subtype": "success", "request_id": request_id});
    cli.send_line(json!({"type": "control_response", "response": response}).to_string());
}

fn parse<T: DeserializeOwned>(json: &[u8]) -> T {
    serde_json::from_slice(json).unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(json)))
}
