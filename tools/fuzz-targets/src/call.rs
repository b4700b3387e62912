//! Arguments against the schemas of tools: what runs was allowed and comes through unchanged, what is allowed runs.

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::pin;
use std::sync::{Arc, LazyLock};
use std::task::{Context as Task, Poll, Waker};

use jsonschema::Validator;
use mcp_core::protocol::Revision;
use mcp_core::transport::{Message, Reply, Session};
use mcp_core::{Context, Server, ToolSpec, tool_fn};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::json::Doubles;
use crate::world::World;

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Scalars {
    small: i8,
    byte: Option<u8>,
    ratio: f64,
    #[serde(default)]
    flag: bool,
    letter: Option<char>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Texts {
    text: String,
    #[schemars(length(max = 3))]
    words: Option<Vec<String>>,
    #[schemars(regex(pattern = "^[a-z]*$"))]
    name: Option<String>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Colour {
    Red,
    Green,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
enum Shape {
    Circle { radius: u16 },
    Square { side: u16, colour: Colour },
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Nested {
    shapes: Vec<Shape>,
    colours: BTreeMap<String, Colour>,
}

/// A tool in a session of its own, and what its published schema says without us.
struct Tool {
    session: Session,
    validator: Validator,
}

// Sessions are shared by threads, and their tools keep nothing.
static TOOLS: LazyLock<[Tool; 3]> = LazyLock::new(|| [tool::<Scalars>(), tool::<Texts>(), tool::<Nested>()]);

/// The first byte picks the tool, the rest are its arguments.
///
/// # Panics
/// When the tool runs with what its schema forbids or with something else than was sent, or does not run with what is allowed.
pub fn call(data: &[u8]) {
    let [which, arguments @ ..] = data else { return };
    let tool = &TOOLS[usize::from(*which) % TOOLS.len()];
    let Ok(arguments) = std::str::from_utf8(arguments) else { return };
    // One line, and nothing that closes the message early.
    if arguments.contains('\n') || serde_json::from_str::<serde::de::IgnoredAny>(arguments).is_err() {
        return;
    }
    let outcome = tool.call(arguments);
    let Ok(value) = serde_json::from_str::<Value>(arguments) else {
        assert!(outcome.is_err(), "ran with what is no value: {arguments}");
        return;
    };
    match (&outcome, tool.allows(&value)) {
        (Ok(received), true) => assert!(contains(received, &value), "{value} became {received}"),
        (Err(_), false) => {}
        (Ok(_), false) => panic!("ran against its schema: {value}"),
        (Err(refusal), true) => {
            // A key that stands twice is gone from the value, but not from what was sent.
            let Ok(Doubles(doubles)) = serde_json::from_str(arguments) else { unreachable!("it is a value") };
            assert!(doubles, "refused although allowed: {value}: {refusal}");
        }
    }
}

impl Tool {
    /// What the tool received, or the refusal.
    fn call(&self, arguments: &str) -> Result<Value, String> {
        let params = format!(r#"{{"name":"tool","arguments":{arguments}}}"#);
        let line = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}"#);
        let response = match self.session.receive(Message::parse(line.as_bytes())) {
            Reply::Now(response) => response,
            Reply::Later(later) => match pin!(later).poll(&mut Task::from_waker(Waker::noop())) {
                Poll::Ready(response) => response.expect("nobody cancels"),
                Poll::Pending => panic!("the tool never waits"),
            },
            Reply::None => panic!("silence"),
        };
        let reply: Value = serde_json::from_str(&response.to_json()).expect("JSON");
        let Some(text) = reply["result"]["content"][0]["text"].as_str() else {
            return Err(reply["error"]["message"].as_str().expect("an error says what").to_owned());
        };
        assert!(text.len() < 64 << 10, "an answer of {} bytes", text.len());
        if reply["result"]["isError"] == true {
            return Err(text.to_owned());
        }
        Ok(serde_json::from_str(text).expect("the tool answers JSON"))
    }

    /// What the published schema says; `null` is nothing for an argument that may be missing.
    fn allows(&self, arguments: &Value) -> bool {
        let mut arguments = arguments.clone();
        if let Some(members) = arguments.as_object_mut() {
            let optional = ["byte", "letter", "words", "name"];
            members.retain(|key, value| !(value.is_null() && optional.contains(&key.as_str())));
        }
        self.validator.is_valid(&arguments)
    }
}

fn tool<T: Serialize + DeserializeOwned + JsonSchema + Send + 'static>() -> Tool {
    let echo =
        |arguments: T, _: Context| async move { serde_json::to_string(&arguments).map_err(|error| error.to_string()) };
    let tool = tool_fn(ToolSpec::new("tool", "Say it back.").input::<T>(), echo);
    let server = Server::builder("call", "1.0.0").tools(tool).build().expect("it is built right");
    let schema = server.tools_list_result(Revision::V2025_11_25)["tools"][0]["inputSchema"].clone();
    let session = server.session(Arc::new(World::new()), Arc::new(())).negotiated(Revision::V2025_11_25);
    Tool { session, validator: jsonschema::draft202012::new(&schema).expect("a schema") }
}

/// Whether everything that was sent arrived.
fn contains(received: &Value, sent: &Value) -> bool {
    match (received, sent) {
        (Value::Object(received), Value::Object(sent)) => {
            sent.iter().all(|(key, value)| received.get(key).is_some_and(|received| contains(received, value)))
        }
        (Value::Array(received), Value::Array(sent)) => {
            received.len() == sent.len() && received.iter().zip(sent).all(|(received, sent)| contains(received, sent))
        }
        (Value::Number(received), Value::Number(sent)) => received.as_f64() == sent.as_f64(),
        _ => received == sent,
    }
}
