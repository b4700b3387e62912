//! One type of the zoo, called through a session like any tool.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context as TaskContext, Poll, Waker};
use std::time::{Duration, Instant};

use mcp_core::{BoxFuture, Context, Host, Job, Message, Reply, Revision, Server, Session, ToolSpec, tool_fn};
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// A tool with one parameter, as `#[tool]` writes its arguments.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code)]
struct Parameter<T> {
    value: T,
}

/// A type, its schema, and samples.
pub(crate) struct Animal {
    pub(crate) name: &'static str,
    pub(crate) schema: Value,
    session: Session,
    wrap: bool,
    accepted: Vec<Value>,
    tolerated: Vec<Value>,
    rejected: Vec<(Value, &'static str)>,
    rejected_arguments: Vec<(Value, &'static str)>,
    refused: Vec<(Value, &'static str)>,
}

impl Animal {
    /// The type as the parameter `value` of a tool; samples are values of that parameter.
    pub(crate) fn parameter<T: DeserializeOwned + JsonSchema + Send + 'static>(name: &'static str) -> Animal {
        Animal { wrap: true, ..Animal::arguments::<Parameter<T>>(name) }
    }

    /// The type as all arguments of a tool.
    pub(crate) fn arguments<T: DeserializeOwned + JsonSchema + Send + 'static>(name: &'static str) -> Animal {
        let session = session::<T>(ToolSpec::new("animal", "Takes it.").input::<T>());
        let tools = list(&session);
        let schema = tools["result"]["tools"][0]["inputSchema"].clone();
        let (accepted, tolerated, rejected, rejected_arguments, refused) = Default::default();
        Animal { name, schema, session, wrap: false, accepted, tolerated, rejected, rejected_arguments, refused }
    }

    /// The schema allows them and the type takes them.
    pub(crate) fn accepts(mut self, samples: impl IntoIterator<Item = Value>) -> Animal {
        self.accepted.extend(samples);
        self
    }

    /// The type takes them although the published schema does not mention them: `null` for nothing, or another name.
    pub(crate) fn tolerates(mut self, samples: impl IntoIterator<Item = Value>) -> Animal {
        self.tolerated.extend(samples);
        self
    }

    /// The schema forbids them, and the answer has these words.
    pub(crate) fn rejects(mut self, samples: impl IntoIterator<Item = (Value, &'static str)>) -> Animal {
        self.rejected.extend(samples);
        self
    }

    /// Like `rejects`, but with all arguments in the sample.
    pub(crate) fn rejects_arguments(mut self, samples: impl IntoIterator<Item = (Value, &'static str)>) -> Animal {
        self.rejected_arguments.extend(samples);
        self
    }

    /// The schema cannot forbid them but the type does, and the answer has these words.
    pub(crate) fn refuses(mut self, samples: impl IntoIterator<Item = (Value, &'static str)>) -> Animal {
        self.refused.extend(samples);
        self
    }

    /// Every sample that does not go the way it should.
    pub(crate) fn problems(&self) -> Vec<String> {
        let validator = jsonschema::draft202012::new(&self.schema).unwrap();
        let wrapped = |sample: &Value| if self.wrap { json!({"value": sample}) } else { sample.clone() };
        let mut problems = Vec::new();
        let mut judge = |arguments: &Value, allowed: bool, words: Option<&str>| {
            let name = self.name;
            match (call(&self.session, &arguments.to_string()), words) {
                (Ok(()), None) => {}
                (Ok(()), Some(_)) => problems.push(format!("{name} takes {arguments}")),
                (Err(answer), None) => problems.push(format!("{name} does not take {arguments}: {answer}")),
                (Err(answer), Some(words)) if answer.contains(words) => {}
                (Err(answer), Some(words)) => {
                    problems.push(format!("{name}, {arguments}: no word of {words:?} in: {answer}"))
                }
            }
            if validator.is_valid(arguments) != allowed {
                problems.push(format!("{name}: that its schema allows {arguments} is {}", !allowed));
            }
        };
        self.accepted.iter().for_each(|sample| judge(&wrapped(sample), true, None));
        self.tolerated.iter().for_each(|sample| judge(&wrapped(sample), false, None));
        self.rejected.iter().for_each(|(sample, words)| judge(&wrapped(sample), false, Some(words)));
        self.rejected_arguments.iter().for_each(|(arguments, words)| judge(arguments, false, Some(words)));
        self.refused.iter().for_each(|(sample, words)| judge(&wrapped(sample), true, Some(words)));
        if self.accepted.is_empty() || (self.rejected.is_empty() && self.rejected_arguments.is_empty()) {
            problems.push(format!("{} lacks samples", self.name));
        }
        problems
    }
}

/// A session with a server of one tool that takes a `T`.
pub(crate) fn session<T: DeserializeOwned + Send + 'static>(spec: ToolSpec) -> Session {
    let tool = tool_fn(spec, |_: T, _: Context| async {});
    open(&Server::new("zoo", "1.0.0").tools([tool]).build().unwrap())
}

/// A session with that server.
pub(crate) fn open(server: &Server) -> Session {
    server.session(Arc::new(Still), Arc::new(())).negotiated(Revision::V2025_11_25)
}

/// Calls the tool: nothing, or the text of its refusal.
pub(crate) fn call(session: &Session, arguments: &str) -> Result<(), String> {
    let reply = send(session, "tools/call", &format!(r#"{{"name": "animal", "arguments": {arguments}}}"#));
    let result = &reply["result"];
    match result["isError"].as_bool() {
        Some(true) => Err(result["content"][0]["text"].as_str().unwrap().to_owned()),
        _ if result.is_object() => Ok(()),
        _ => Err(reply["error"]["message"].as_str().unwrap().to_owned()),
    }
}

/// The list of tools.
pub(crate) fn list(session: &Session) -> Value {
    send(session, "tools/list", "{}")
}

fn send(session: &Session, method: &str, params: &str) -> Value {
    let line = format!(r#"{{"jsonrpc": "2.0", "id": 1, "method": "{method}", "params": {params}}}"#);
    let response = match session.receive(Message::parse(line.as_bytes())) {
        Reply::Now(response) => response,
        Reply::Later(later) => match pin!(later).poll(&mut TaskContext::from_waker(Waker::noop())) {
            Poll::Ready(response) => response.unwrap(),
            Poll::Pending => panic!("the tool never waits"),
        },
        Reply::None => panic!("no reply"),
    };
    serde_json::from_str(&response.to_json()).unwrap()
}

/// A host for tools that neither wait nor block.
struct Still;

impl Host for Still {
    fn now(&self) -> Instant {
        Instant::now()
    }

    fn sleep(&self, _: Duration) -> BoxFuture<()> {
        Box::pin(std::future::pending())
    }

    fn run_blocking(&self, job: Job) {
        job();
    }
}
