//! The functions that the page calls. Each takes and returns JSON; an error is `{"error": "..."}`.

use std::sync::Arc;
use std::time::Instant;

use axum::extract::{DefaultBodyLimit, Query, State};
use axum::response::Response;
use axum::routing::{get, post};
use axum::{Json, Router, middleware};
use bytes::Bytes;
use mcp_client::{CallError, Completable, LogLevel, Revision};
use mcp_core::ask::Root;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::questions::Answer;
use crate::{App, access, assets, events, lines};

/// The maximum size of a request of the page in bytes.
const LARGEST_REQUEST: usize = 16 << 20;

type Shared = State<Arc<App>>;

/// Routes for the page and its functions, behind all checks.
pub(crate) fn router(app: Arc<App>) -> Router {
    let api = Router::new()
        .route("/api/events", get(follow))
        .route("/api/connect", post(connect))
        .route("/api/list", post(list))
        .route("/api/call", post(call))
        .route("/api/read", post(read))
        .route("/api/prompt", post(prompt))
        .route("/api/complete", post(complete))
        .route("/api/watch", post(watch))
        .route("/api/roots", post(roots))
        .route("/api/log-level", post(log_level))
        .route("/api/ping", post(ping))
        .route("/api/answer", post(answer));
    let layer = middleware::from_fn_with_state(app.clone(), access::check);
    api.merge(assets::routes()).layer(DefaultBodyLimit::max(LARGEST_REQUEST)).layer(layer).with_state(app)
}

/// Converts the result of a function to JSON.
fn respond<T: Serialize>(result: Result<T, String>) -> Json<Value> {
    Json(result.and_then(|value| serde_json::to_value(value).map_err(text)).unwrap_or_else(|error| json!({"error": error})))
}

fn text(error: impl ToString) -> String {
    error.to_string()
}

#[derive(Deserialize)]
struct After {
    #[serde(default)]
    after: u64,
}

async fn follow(State(app): Shared, Query(after): Query<After>) -> Response {
    events::stream(app, after.after)
}

#[derive(Deserialize)]
struct Connect {
    /// Whether to connect again if there is a connection.
    #[serde(default)]
    again: bool,
    /// The only revision of MCP to use.
    revision: Option<String>,
}

async fn connect(State(app): Shared, Json(wanted): Json<Connect>) -> Json<Value> {
    let connect = async {
        let revision = match wanted.revision.as_deref() {
            Some(name) => Some(Revision::parse(name).ok_or_else(|| format!("`{name}` is not a revision"))?),
            None => None,
        };
        let connection = &app.connection;
        let client = if wanted.again { connection.reconnect(revision).await? } else { connection.client().await? };
        let server = client.server().await.map_err(text)?;
        Ok(json!({
            "server": connection.server, "revision": server.revision.as_str(), "info": server.implementation,
            "capabilities": server.capabilities, "instructions": server.instructions,
            "stateless": server.revision.is_stateless(), "revisions": Revision::ALL.map(Revision::as_str),
        }))
    };
    respond(connect.await)
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum List {
    Tools,
    Resources,
    Templates,
    Prompts,
}

#[derive(Deserialize)]
struct Wanted {
    list: List,
}

async fn list(State(app): Shared, Json(wanted): Json<Wanted>) -> Json<Value> {
    let list = async {
        let client = app.connection.client().await?;
        let items = match wanted.list {
            List::Tools => client.tools().all().await.map(|items| json!(items)),
            List::Resources => client.resources().all().await.map(|items| json!(items)),
            List::Templates => client.resource_templates().all().await.map(|items| json!(items)),
            List::Prompts => client.prompts().all().await.map(|items| json!(items)),
        };
        items.map_err(text)
    };
    respond(list.await)
}

#[derive(Deserialize)]
struct ToolCall {
    tool: String,
    arguments: Map<String, Value>,
}

/// Calls a tool. The response has a line for each progress message, and a line for the result. If the browser stops reading,
/// the call is cancelled.
async fn call(State(app): Shared, Json(wanted): Json<ToolCall>) -> Response {
    let (writer, response) = lines::response("application/x-ndjson");
    tokio::spawn(async move {
        let line = |json: Value| Bytes::from(format!("{json}\n"));
        let client = match app.connection.client().await {
            Ok(client) => client,
            Err(error) => return drop(writer.send(line(json!({"error": error}))).await),
        };
        let began = Instant::now();
        let mut running = client.call(wanted.tool, wanted.arguments).start();
        loop {
            let progress = tokio::select! {
                progress = running.progress() => progress,
                // Dropping the call cancels it.
                () = writer.closed() => return,
            };
            let Some(progress) = progress else { break };
            let progress = json!({"progress": progress.progress, "total": progress.total, "message": progress.message});
            // A page that is slow misses progress, not the result.
            let _ = writer.try_send(line(json!({"progress": progress})));
        }
        let milliseconds = began.elapsed().as_secs_f64() * 1000.0;
        let last = match running.await {
            Ok(result) => json!({"result": result, "milliseconds": milliseconds}),
            Err(error) => json!({
                "error": text(&error), "rpc": rpc(&error), "milliseconds": milliseconds,
                "invalid": matches!(error, CallError::Output { .. } | CallError::Invalid { .. }),
            }),
        };
        let _ = writer.send(line(last)).await;
    });
    response
}

/// Returns the error object of the server, if there is one.
fn rpc(error: &CallError) -> Value {
    match error {
        CallError::Rpc(error) => json!(error),
        _ => Value::Null,
    }
}

#[derive(Deserialize)]
struct Uri {
    uri: String,
    /// Whether to watch the resource, or no longer.
    #[serde(default)]
    on: bool,
}

async fn read(State(app): Shared, Json(wanted): Json<Uri>) -> Json<Value> {
    let read = async { app.connection.client().await?.read(&wanted.uri).await.map_err(text) };
    respond(read.await.map(|contents| json!({"contents": contents})))
}

async fn watch(State(app): Shared, Json(wanted): Json<Uri>) -> Json<Value> {
    if !wanted.on {
        app.connection.unwatch(&wanted.uri);
        return respond(Ok(json!({})));
    }
    respond(app.connection.watch(wanted.uri).await.map(|()| json!({})))
}

#[derive(Deserialize)]
struct PromptCall {
    name: String,
    arguments: Vec<(String, String)>,
}

async fn prompt(State(app): Shared, Json(wanted): Json<PromptCall>) -> Json<Value> {
    let get = async { app.connection.client().await?.prompt(&wanted.name, wanted.arguments).await.map_err(text) };
    respond(get.await)
}

#[derive(Deserialize)]
struct Begun {
    prompt: Option<String>,
    template: Option<String>,
    argument: String,
    begun: String,
    known: Vec<(String, String)>,
}

async fn complete(State(app): Shared, Json(wanted): Json<Begun>) -> Json<Value> {
    let complete = async {
        let what = match (wanted.prompt, wanted.template) {
            (Some(prompt), _) => Completable::Prompt(prompt),
            (None, Some(template)) => Completable::Template(template),
            (None, None) => return Err("name a prompt or a template".to_owned()),
        };
        let client = app.connection.client().await?;
        let found = client.complete(what, &wanted.argument, &wanted.begun, wanted.known).await.map_err(text)?;
        Ok(json!({"values": found.values, "total": found.total, "hasMore": found.has_more}))
    };
    respond(complete.await)
}

#[derive(Deserialize)]
struct Roots {
    roots: Vec<String>,
}

async fn roots(State(app): Shared, Json(wanted): Json<Roots>) -> Json<Value> {
    app.connection.questions.set_roots(wanted.roots.into_iter().map(Root::new).collect());
    let tell = async { app.connection.client().await?.roots_changed().await.map_err(text) };
    respond(tell.await.map(|()| json!({})))
}

#[derive(Deserialize)]
struct Level {
    level: LogLevel,
}

async fn log_level(State(app): Shared, Json(wanted): Json<Level>) -> Json<Value> {
    let set = async { app.connection.client().await?.set_log_level(wanted.level).await.map_err(text) };
    respond(set.await.map(|()| json!({})))
}

async fn ping(State(app): Shared) -> Json<Value> {
    let began = Instant::now();
    let ping = async { app.connection.client().await?.ping().await.map_err(text) };
    respond(ping.await.map(|()| json!({"milliseconds": began.elapsed().as_secs_f64() * 1000.0})))
}

#[derive(Deserialize)]
struct Answered {
    id: u64,
    #[serde(flatten)]
    answer: Answer,
}

async fn answer(State(app): Shared, Json(answered): Json<Answered>) -> Json<Value> {
    respond(Ok(json!({"open": app.connection.questions.answer(answered.id, answered.answer)})))
}
