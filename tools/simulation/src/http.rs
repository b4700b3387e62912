//! Many requests and sessions at one `mcp_http::Endpoint`.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use http::{Method, Request, Response, StatusCode};
use http_body_util::{BodyExt as _, Full};
use mcp_http::{Body, Endpoint, Http};
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};
use tower_service::Service as _;

use crate::bug::Bug;
use crate::random::Random;
use crate::stream::server::{Running, server};
use crate::trace::Trace;
use crate::{Failure, Finished, run_paused};

/// Runs one seed.
pub(crate) fn simulate(seed: u64, bug: Option<Bug>) -> Result<Finished, Failure> {
    let trace = Trace::default();
    run_paused(seed, &trace, world(Random::new(seed), bug, trace.clone()))
}

/// An endpoint, with the bugs that are planted around it.
#[derive(Clone)]
struct Service {
    endpoint: Endpoint,
    bug: Option<Bug>,
    trace: Trace,
    /// The last response to a stateless call, for a planted bug.
    last: Arc<Mutex<Option<String>>>,
}

async fn world(mut random: Random, bug: Option<Bug>, trace: Trace) -> Result<(), String> {
    let running = Running::default();
    let endpoint = Http::new().session_idle(Duration::from_secs(1000)).endpoint(server(&running));
    let service =
        Service { endpoint: endpoint.map_err(|error| error.to_string())?, bug, trace: trace.clone(), last: Arc::default() };
    let mut clients = Vec::new();
    for number in 0..12 {
        let (service, random, start) = (service.clone(), Random::new(random.next()), random.millis(100));
        clients.push(tokio::spawn(async move {
            sleep(start).await;
            match number % 3 {
                0 => session(&service, number, random).await,
                _ => stateless(&service, number, random).await,
            }
        }));
    }
    for (number, client) in clients.into_iter().enumerate() {
        let outcome = client.await.map_err(|error| format!("a client panicked: {error}"))?;
        trace.note(format_args!("{number} {outcome:?}"));
        outcome?;
    }
    // Calls that were cancelled are dropped by their tasks.
    sleep(Duration::from_millis(1)).await;
    match running.count() {
        0 => Ok(()),
        count => Err(format!("{count} calls still run after all clients have gone")),
    }
}

/// A client of 2026-07-28: calls, some of which it abandons. Returns how many calls were answered.
async fn stateless(service: &Service, number: u32, mut random: Random) -> Result<u32, String> {
    let mut answered = 0;
    for round in 0..6 {
        sleep(random.millis(20)).await;
        let text = format!("text {round} of {number}");
        let tool = random.pick(&["echo", "nap", "nap", "hang"]);
        let arguments = json!({"text": text, "ms": random.next() % 50});
        let request = stateless_call(tool, &arguments, round);
        if tool == "hang" || random.chance(4) {
            // The client disconnects: before the response, or while it is being sent.
            let waiting = timeout(random.millis(40), service.send(request));
            drop(waiting.await);
            continue;
        }
        let (status, messages) = service.exchange(request).await?;
        check_call(status, &messages, round, &text)?;
        answered += 1;
    }
    Ok(answered)
}

/// A client of 2025-11-25: a session with concurrent calls, which ends it. Returns how many calls were answered.
async fn session(service: &Service, number: u32, mut random: Random) -> Result<u32, String> {
    let info = json!({"name": "simulation", "version": "1.0.0"});
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info});
    let response =
        service.send(post(&json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}), None)?).await;
    let id = response.headers().get("mcp-session-id").and_then(|id| id.to_str().ok()).map(str::to_owned);
    let id = id.ok_or("the handshake opened no session")?;
    drop(response);
    let initialized = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    service.exchange(post(&initialized, Some(&id))?).await?;
    let mut calls = Vec::new();
    for call in 1..8 {
        let (text, ms) = (format!("text {call} of {number}"), random.next() % 50);
        let tool = random.pick(&["echo", "nap", "nap"]);
        let params = json!({"name": tool, "arguments": {"text": text, "ms": ms}, "_meta": {"progressToken": call}});
        let request = post(&json!({"jsonrpc": "2.0", "id": call, "method": "tools/call", "params": params}), Some(&id))?;
        let (service, start, lost) = (service.clone(), random.millis(50), random.chance(4));
        calls.push(tokio::spawn(async move {
            sleep(start).await;
            if lost {
                // The connection is lost. The call continues until the session ends.
                drop(timeout(Duration::from_millis(1), service.send(request)).await);
                return Ok(0);
            }
            let (status, messages) = service.exchange(request).await?;
            check_call(status, &messages, call, &text).map(|()| 1)
        }));
    }
    let mut answered = 0;
    for call in calls {
        answered += call.await.map_err(|error| format!("a call panicked: {error}"))??;
    }
    let hang = json!({"jsonrpc": "2.0", "id": 99, "method": "tools/call", "params": {"name": "hang", "arguments": {}}});
    drop(timeout(Duration::from_millis(1), service.send(post(&hang, Some(&id))?)).await);
    end_session(service, &id).await?;
    Ok(answered)
}

/// Ends a session. Afterwards its id is unknown.
async fn end_session(service: &Service, id: &str) -> Result<(), String> {
    let request = || request(Method::DELETE).header("mcp-session-id", id).body(Full::default());
    let (status, _) = service.exchange(request().map_err(|error| error.to_string())?).await?;
    let (again, _) = service.exchange(request().map_err(|error| error.to_string())?).await?;
    match (status.is_success(), again) {
        (true, StatusCode::NOT_FOUND) => Ok(()),
        _ => Err(format!("a session ended with status {status}, and then again with {again}")),
    }
}

/// Checks that the messages contain the response to this call, once and at the end, with increasing progress before it.
fn check_call(status: StatusCode, messages: &[Value], id: u32, text: &str) -> Result<(), String> {
    let Some((response, before)) = messages.split_last().filter(|_| status.is_success()) else {
        return Err(format!("status {status} and {} messages instead of a response", messages.len()));
    };
    if response["id"] != id || response["result"]["content"][0]["text"] != text {
        return Err(format!("call {id} with {text} got another response: {response}"));
    }
    let progress: Vec<f64> = before.iter().filter_map(|message| message["params"]["progress"].as_f64()).collect();
    let increases = progress.windows(2).all(|pair| pair[0] < pair[1]) && progress.len() == before.len();
    if increases { Ok(()) } else { Err(format!("unexpected messages before the response: {before:?}")) }
}

impl Service {
    /// Returns the response as soon as its head is there. Its body may still grow.
    async fn send(&self, request: Request<Full<Bytes>>) -> Response<Body> {
        let mut endpoint = self.endpoint.clone();
        let call = endpoint.call(request);
        if self.bug != Some(Bug::HttpCallSurvives) {
            let Ok(response) = call.await;
            return response;
        }
        // Reads the response in a task of its own, which continues when the client has gone.
        let (sender, receiver) = tokio::sync::oneshot::channel();
        tokio::spawn(async move {
            let Ok(response) = call.await;
            let _ = sender.send(response);
        });
        receiver.await.expect("the task sends the response")
    }

    /// Returns the status and the messages of the whole response.
    async fn exchange(&self, request: Request<Full<Bytes>>) -> Result<(StatusCode, Vec<Value>), String> {
        let is_call = request.headers().get("mcp-method").is_some();
        let limit = Duration::from_secs(60);
        let whole = async {
            let (parts, body) = self.send(request).await.into_parts();
            let Ok(body) = body.collect().await;
            (parts.status, String::from_utf8_lossy(&body.to_bytes()).into_owned())
        };
        let (status, mut text) = timeout(limit, whole).await.map_err(|_| "a request is not answered")?;
        self.trace.note(format_args!("{status}, {} bytes", text.len()));
        if is_call && self.bug == Some(Bug::SwappedHttpResponses) {
            let last = self.last.lock().unwrap_or_else(PoisonError::into_inner).replace(text.clone());
            text = last.unwrap_or(text);
        }
        let lines = text.lines().map(|line| line.strip_prefix("data: ").unwrap_or(line));
        Ok((status, lines.filter_map(|line| serde_json::from_str(line).ok()).filter(Value::is_object).collect()))
    }
}

fn request(method: Method) -> http::request::Builder {
    let request = Request::builder().method(method).uri("/mcp").header("host", "localhost");
    request.header("content-type", "application/json").header("accept", "application/json, text/event-stream")
}

/// A message in the session with this id, or the handshake of a new one.
fn post(message: &Value, session: Option<&str>) -> Result<Request<Full<Bytes>>, String> {
    let mut builder = request(Method::POST);
    if let Some(session) = session {
        builder = builder.header("mcp-session-id", session).header("mcp-protocol-version", "2025-11-25");
    }
    builder.body(Full::from(message.to_string())).map_err(|error| error.to_string())
}

/// A call of 2026-07-28.
fn stateless_call(tool: &str, arguments: &Value, id: u32) -> Request<Full<Bytes>> {
    let meta = json!({
        "progressToken": id,
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let params = json!({"name": tool, "arguments": arguments, "_meta": meta});
    let body = json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params});
    let builder = request(Method::POST).header("mcp-protocol-version", "2026-07-28").header("mcp-method", "tools/call");
    builder.header("mcp-name", tool).body(Full::from(body.to_string())).expect("the headers are valid")
}
