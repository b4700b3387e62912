//! Arguments and the schemas of tools: a tool runs exactly if its schema allows the arguments, and gets them unchanged.

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

/// A tool in its own session, and an independent validator of its schema.
struct Tool {
    session: Session,
    validator: Validator,
    /// The arguments for which `null` means that they are absent.
    optional: &'static [&'static str],
}

// The tools have no state, so threads can share the sessions.
static TOOLS: LazyLock<[Tool; 3]> =
    LazyLock::new(|| [tool::<Scalars>(&["byte", "letter"]), tool::<Texts>(&["words", "name"]), tool::<Nested>(&[])]);

/// The first byte picks the tool, the rest are its arguments.
///
/// # Panics
/// If the tool runs with arguments that its schema forbids, gets other arguments, or does not run although they are allowed.
pub fn call(data: &[u8]) {
    let [which, arguments @ ..] = data else { return };
    let tool = &TOOLS[usize::from(*which) % TOOLS.len()];
    let Ok(arguments) = std::str::from_utf8(arguments) else { return };
    // The arguments must not contain a newline or end the message early.
    if arguments.contains('\n') || serde_json::from_str::<serde::de::IgnoredAny>(arguments).is_err() {
        return;
    }
    let outcome = tool.call(arguments);
    let Ok(value) = serde_json::from_str::<Value>(arguments) else {
        assert!(outcome.is_err(), "ran with arguments that are not JSON: {arguments}");
        return;
    };
    match (&outcome, tool.allows(&value)) {
        (Ok(received), true) => assert!(contains(received, &value), "{value} became {received}"),
        (Err(_), false) => {}
        (Ok(_), false) => panic!("ran with arguments that its schema forbids: {value}"),
        (Err(refusal), true) => {
            // The value has no duplicate keys, but the text may have some.
            let Ok(Doubles(doubles)) = serde_json::from_str(arguments) else { unreachable!("it is a value") };
            assert!(doubles, "rejected although allowed: {value}: {refusal}");
        }
    }
}

impl Tool {
    /// The arguments that the tool received, or the error.
    fn call(&self, arguments: &str) -> Result<Value, String> {
        let params = format!(r#"{{"name":"tool","arguments":{arguments}}}"#);
        let line = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}"#);
        let response = match self.session.receive(Message::parse(line.as_bytes())) {
            Reply::Now(response) => response,
            Reply::Later(later) => match pin!(later).poll(&mut Task::from_waker(Waker::noop())) {
                Poll::Ready(response) => response.expect("the call is not cancelled"),
                Poll::Pending => panic!("the tool does not wait"),
            },
            Reply::None => panic!("no response"),
        };
        let reply: Value = serde_json::from_str(&response.to_json()).expect("JSON");
        let Some(text) = reply["result"]["content"][0]["text"].as_str() else {
            return Err(reply["error"]["message"].as_str().expect("an error has a message").to_owned());
        };
        assert!(text.len() < 64 << 10, "a response of {} bytes", text.len());
        if reply["result"]["isError"] == true {
            return Err(text.to_owned());
        }
        Ok(serde_json::from_str(text).expect("the tool returns JSON"))
    }

    /// Whether the schema allows the arguments. `null` stands for an absent optional argument.
    fn allows(&self, arguments: &Value) -> bool {
        let mut arguments = arguments.clone();
        if let Some(members) = arguments.as_object_mut() {
            members.retain(|key, value| !(value.is_null() && self.optional.contains(&key.as_str())));
        }
        self.validator.is_valid(&arguments)
    }
}

fn tool<T: Serialize + DeserializeOwned + JsonSchema + Send + 'static>(optional: &'static [&'static str]) -> Tool {
    let echo =
        |arguments: T, _: Context| async move { serde_json::to_string(&arguments).map_err(|error| error.to_string()) };
    let tool = tool_fn(ToolSpec::new("tool", "Say it back.").input::<T>(), echo);
    let server = Server::builder("call", "1.0.0").tools(tool).build().expect("the server is valid");
    let schema = server.tools_list_result(Revision::V2025_11_25)["tools"][0]["inputSchema"].clone();
    let session = server.session(Arc::new(World::new()), Arc::new(())).negotiated(Revision::V2025_11_25);
    Tool { session, validator: jsonschema::draft202012::new(&schema).expect("a schema"), optional }
}

/// Whether `received` contains everything in `sent`.
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
