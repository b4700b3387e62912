//! Talks to an example server over HTTP. Each line is a POST request.

use std::sync::mpsc::{Receiver, Sender, channel};

use http::{Method, Request, Response};
use http_body_util::BodyExt;
use mcp_core::Builder;
use mcp_http::{Body, Endpoint, Http};
use serde_json::Value;
use tokio::runtime::Runtime;
use tower_service::Service;

use crate::built_examples::TEST_TIMEOUT;
use crate::conversation::Converse;

/// A client of an HTTP endpoint.
pub(crate) struct HttpClient {
    endpoint: Endpoint,
    /// The result of the handshake: the session id and the revision.
    agreed: Option<(String, String)>,
    sender: Sender<String>,
    receiver: Receiver<String>,
    runtime: Runtime,
}

impl HttpClient {
    pub(crate) fn new(server: Builder) -> HttpClient {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_time().build().expect("a runtime");
        let endpoint = {
            let _entered = runtime.enter();
            Http::new().endpoint(server).expect("the example is valid")
        };
        let (sender, receiver) = channel();
        HttpClient { endpoint, agreed: None, sender, receiver, runtime }
    }

    /// Sends a line. Waits only for the response to `initialize`, because later requests need the session id.
    fn post(&mut self, line: &str) {
        let message: Value = serde_json::from_str(line).unwrap_or_default();
        let request = self.request(Method::POST, &message).body(line.to_owned()).expect("a request");
        let (mut endpoint, sender) = (self.endpoint.clone(), self.sender.clone());
        let answer = async move {
            let Ok(response) = endpoint.call(request).await;
            let session = response.headers().get("mcp-session-id").map(|id| id.to_str().expect("text").to_owned());
            read(response, &sender).await;
            session
        };
        if message["method"] != "initialize" {
            self.runtime.spawn(answer);
            return;
        }
        if let Some(session) = self.runtime.block_on(answer) {
            let answer = self.receiver.recv_timeout(TEST_TIMEOUT).expect("an answer to the handshake");
            let agreed: Value = serde_json::from_str(&answer).expect("JSON");
            self.agreed = Some((session, agreed["result"]["protocolVersion"].as_str().expect("a revision").to_owned()));
            self.sender.send(answer).expect("`self` owns the receiver");
            self.listen();
        }
    }

    /// Opens the stream of messages that do not belong to a request.
    fn listen(&self) {
        let request = self.request(Method::GET, &Value::Null).body(String::new()).expect("a request");
        let (mut endpoint, sender) = (self.endpoint.clone(), self.sender.clone());
        self.runtime.spawn(async move {
            let Ok(response) = endpoint.call(request).await;
            read(response, &sender).await;
        });
    }

    /// Creates a request with the headers that clients send with this message.
    fn request(&self, method: Method, message: &Value) -> http::request::Builder {
        let mut request = Request::builder().method(method).uri("/mcp").header("host", "localhost");
        request = request.header("content-type", "application/json").header("accept", "application/json, text/event-stream");
        let params = &message["params"];
        if let Some(revision) = params["_meta"]["io.modelcontextprotocol/protocolVersion"].as_str() {
            request = request.header("mcp-protocol-version", revision);
            request = request.header("mcp-method", message["method"].as_str().unwrap_or_default());
            return match params["name"].as_str().or(params["uri"].as_str()).or(params["taskId"].as_str()) {
                Some(name) => request.header("mcp-name", name),
                None => request,
            };
        }
        match &self.agreed {
            // `initialize` opens another session.
            Some(_) if message["method"] == "initialize" => request,
            Some((session, revision)) => request.header("mcp-session-id", session).header("mcp-protocol-version", revision),
            None => request,
        }
    }
}

impl Converse for HttpClient {
    fn converse(&mut self, lines: &[String], answers: usize) -> Vec<String> {
        lines.iter().for_each(|line| self.post(line));
        let next = || self.receiver.recv_timeout(TEST_TIMEOUT).unwrap_or_else(|_| panic!("no answer to {lines:?}"));
        (0..answers).map(|_| next()).collect()
    }
}

/// Reads the messages of a response and sends each one to `sender`.
async fn read(response: Response<Body>, sender: &Sender<String>) {
    let is_stream = response.headers().get("content-type").is_some_and(|kind| kind == "text/event-stream");
    let mut body = response.into_body();
    while let Some(Ok(frame)) = body.frame().await {
        let text = String::from_utf8(frame.into_data().expect("no trailers").to_vec()).expect("UTF-8");
        let messages: Vec<&str> = match is_stream {
            true => text.lines().filter_map(|line| line.strip_prefix("data: ")).collect(),
            false => vec![&text],
        };
        for message in messages.into_iter().filter(|message| !message.is_empty()) {
            let _ = sender.send(message.to_owned());
        }
    }
}
