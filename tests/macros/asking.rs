//! Helpers that send requests to a server with an in-memory client.

use std::future::Future;

use mcp_core::protocol::Revision;
use mcp_core::transport::RpcError;
use mcp_core::{IntoServer, Server};
use mcp_test::Client;
use serde_json::{Value, json};

/// Calls a tool and returns its result as JSON.
pub fn call(server: impl IntoServer, tool: &str, arguments: Value) -> Value {
    let result = finish(Client::new(server).call(tool, arguments));
    serde_json::to_value(result).expect("results are JSON")
}

/// Calls a tool of a built server.
pub fn call_built(server: &Server, tool: &str, arguments: Value) -> Value {
    call(server.clone(), tool, arguments)
}

/// Returns the text of a result, and whether it is an error.
pub fn text(result: &Value) -> (String, bool) {
    let content = result["content"].as_array().map_or(&[][..], Vec::as_slice);
    let text = content.iter().filter_map(|content| content["text"].as_str()).collect();
    (text, result["isError"] == true)
}

/// Returns a tool as `tools/list` shows it, in the newest revision with a handshake.
pub fn describe(server: impl IntoServer, tool: &str) -> Value {
    let tools = finish(Client::with_revision(server, Revision::NEWEST_HANDSHAKE).list_tools());
    tools.into_iter().find(|described| described["name"] == tool).expect("the tool is listed")
}

/// Waits for a future.
pub fn finish<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().build().expect("a runtime").block_on(future)
}

/// Sends a request to a server.
pub fn request(server: impl IntoServer, method: &str, params: Value) -> Result<Value, RpcError> {
    finish(Client::with_revision(server, Revision::NEWEST_HANDSHAKE).request(method, params))
}

/// Returns the code and the message of an error.
pub fn error(answer: Result<Value, RpcError>) -> (i64, String) {
    let error = answer.expect_err("an error");
    (error.code.0, error.message)
}

/// Returns the completions of an argument, given the other known arguments.
pub fn complete(server: impl IntoServer, reference: Value, argument: &str, typed: &str, known: &Value) -> Vec<String> {
    let params = json!({"ref": reference, "argument": {"name": argument, "value": typed}, "context": {"arguments": known}});
    let mut result = request(server, "completion/complete", params).expect("an answer");
    serde_json::from_value(result["completion"]["values"].take()).expect("texts")
}
