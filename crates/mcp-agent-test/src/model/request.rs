//! Requests that the mock model received.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use serde_json::Value;

use super::prompt::texts;

/// An HTTP request that the mock model received.
///
/// It has accessors for the conversation, the offered tools and the tool results. Everything else is in
/// [`body`](Self::body).
#[derive(Clone, Debug)]
pub struct Request {
    method: String,
    path: String,
    headers: Vec<(String, String)>,
    body: Arc<Value>,
    outcome: Arc<ReplyOutcome>,
}

/// A tool result as the model received it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ToolResult {
    /// The id of the tool use.
    pub tool_use_id: String,
    /// The text blocks, joined by newlines.
    pub text: String,
    /// Whether the result is marked as an error.
    pub is_error: bool,
    /// The unmodified content.
    pub content: Value,
}

impl Request {
    pub(crate) fn new(method: String, path: String, headers: Vec<(String, String)>, body: Value) -> Self {
        Self { method, path, headers, body: Arc::new(body), outcome: Arc::default() }
    }

    /// Returns the HTTP method.
    #[must_use]
    pub fn method(&self) -> &str {
        &self.method
    }

    /// Returns the path without the query.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Returns the value of a header. `name` must be in lower case.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// Returns the JSON body, or `Value::Null` if the body is empty or not JSON.
    #[must_use]
    pub fn body(&self) -> &Value {
        &self.body
    }

    /// Returns whether this is a request for a turn (`POST /v1/messages`).
    #[must_use]
    pub fn is_turn(&self) -> bool {
        self.method == "POST" && self.path == "/v1/messages" && self.body.is_object()
    }

    /// Returns the name of the requested model.
    #[must_use]
    pub fn model(&self) -> &str {
        self.body["model"].as_str().unwrap_or_default()
    }

    /// Returns the system prompt, with its blocks joined by newlines.
    #[must_use]
    pub fn system(&self) -> String {
        texts(&self.body["system"]).collect::<Vec<_>>().join("\n")
    }

    /// Returns the messages of the conversation.
    #[must_use]
    pub fn messages(&self) -> &[Value] {
        list(&self.body["messages"])
    }

    /// Returns the names of the offered tools, in order.
    #[must_use]
    pub fn tools(&self) -> Vec<&str> {
        list(&self.body["tools"]).iter().filter_map(|tool| tool["name"].as_str()).collect()
    }

    /// Returns the definition of an offered tool: name, description and `input_schema`.
    #[must_use]
    pub fn tool(&self, name: &str) -> Option<&Value> {
        list(&self.body["tools"]).iter().find(|tool| tool["name"] == name)
    }

    /// Returns the tool results in the whole conversation, oldest first.
    #[must_use]
    pub fn tool_results(&self) -> Vec<ToolResult> {
        let blocks = self.messages().iter().flat_map(|message| list(&message["content"]));
        blocks.filter(|block| block["type"] == "tool_result").map(ToolResult::of).collect()
    }

    /// Returns whether any text in the conversation contains `text`.
    ///
    /// With it a test finds its own requests in a [`Model`](crate::Model) that several tests share.
    #[must_use]
    pub fn mentions(&self, text: &str) -> bool {
        self.messages().iter().any(|message| texts(&message["content"]).any(|part| part.contains(text)))
    }

    /// Returns whether the client disconnected before the reply was complete.
    ///
    /// Returns false while the reply is being sent. See [`Model::wait_until_idle`](crate::Model::wait_until_idle).
    #[must_use]
    pub fn client_disconnected(&self) -> bool {
        self.outcome.get() == ReplyOutcome::DISCONNECTED
    }

    pub(crate) fn is_finished(&self) -> bool {
        self.outcome.get() != ReplyOutcome::OPEN
    }

    pub(crate) fn outcome(&self) -> Arc<ReplyOutcome> {
        Arc::clone(&self.outcome)
    }
}

impl ToolResult {
    fn of(block: &Value) -> Self {
        Self {
            tool_use_id: block["tool_use_id"].as_str().unwrap_or_default().into(),
            text: texts(&block["content"]).collect::<Vec<_>>().join("\n"),
            is_error: block["is_error"] == true,
            content: block["content"].clone(),
        }
    }
}

/// The outcome of a reply: still open, answered, or client disconnected.
#[derive(Debug, Default)]
pub(crate) struct ReplyOutcome(AtomicU8);

impl ReplyOutcome {
    const OPEN: u8 = 0;
    const ANSWERED: u8 = 1;
    const DISCONNECTED: u8 = 2;

    fn get(&self) -> u8 {
        self.0.load(Ordering::Acquire)
    }

    /// Sets the outcome. Only the first call has an effect.
    pub(crate) fn set(&self, answered: bool) {
        let outcome = if answered { Self::ANSWERED } else { Self::DISCONNECTED };
        let _ = self.0.compare_exchange(Self::OPEN, outcome, Ordering::AcqRel, Ordering::Acquire);
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn accessors_return_the_parts_of_a_request() {
        let request = Request::new(
            "POST".into(),
            "/v1/messages".into(),
            vec![("x-api-key".into(), "fake".into())],
            json!({
                "model": "m", "system": [{"type": "text", "text": "be"}, {"type": "text", "text": "kind"}],
                "tools": [{"name": "add", "input_schema": {}}, {"name": "sub", "input_schema": {}}],
                "messages": [
                    {"role": "user", "content": "hello there"},
                    {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "add", "input": {}}]},
                    {"role": "user", "content": [
                        {"type": "tool_result", "tool_use_id": "t1", "is_error": true, "content": [
                            {"type": "text", "text": "a"}, {"type": "text", "text": "b"}]},
                        {"type": "tool_result", "tool_use_id": "t2", "content": "plain"}]},
                ],
            }),
        );
        assert!(request.is_turn() && request.mentions("lo the") && !request.mentions("bye"));
        assert_eq!(request.system(), "be\nkind");
        assert_eq!(request.tools(), ["add", "sub"]);
        assert_eq!(request.header("x-api-key"), Some("fake"));
        let results = request.tool_results();
        assert_eq!((results[0].text.as_str(), results[0].is_error), ("a\nb", true));
        assert_eq!((results[1].text.as_str(), results[1].is_error), ("plain", false));
    }
}
