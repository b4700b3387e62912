//! The HTTP interface of a hub.

mod events;

use std::sync::Arc;

use axum::Router;
use axum::body::to_bytes;
use axum::extract::{OriginalUri, Path, Query, Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use http::header::{CACHE_CONTROL, CONTENT_TYPE, LOCATION, REFERRER_POLICY, SET_COOKIE, X_CONTENT_TYPE_OPTIONS};
use http::{HeaderMap, HeaderValue, StatusCode};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::access::{after_login, token_cookie};
use crate::command::Command;
use crate::error::WebError;
use crate::sessions;
use crate::shared::Shared;

/// The longest body of a request, in bytes. A prompt may have 1 MiB, which may be longer as JSON.
const MAX_BODY: usize = 4 << 20;

/// Returns the routes.
pub(crate) fn router(shared: Arc<Shared>) -> Router {
    let chats = Router::new()
        .route("/chats/{chat}/events", get(events::events))
        .route("/chats/{chat}/commands", post(command))
        .layer(from_fn_with_state(Arc::clone(&shared), admit_to_chat));
    let sessions = Router::new().route("/sessions", get(list)).layer(from_fn_with_state(Arc::clone(&shared), admit));
    Router::new()
        .route("/login", get(login))
        .merge(chats)
        .merge(sessions)
        .layer(from_fn_with_state(Arc::clone(&shared), same_origin))
        .with_state(shared)
}

/// The chat in the path of a request. The router that contains the hub may have other parameters.
#[derive(Deserialize)]
struct ChatPath {
    chat: String,
}

/// Denies requests of other origins, and sets headers of every response.
async fn same_origin(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    let mut response = match shared.access.check_origin(&parts) {
        Ok(()) => next.run(Request::from_parts(parts, body)).await,
        Err(denied) => denied.into_response(),
    };
    let headers = response.headers_mut();
    headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response
}

/// Denies callers who may not use this chat.
async fn admit_to_chat(
    State(shared): State<Arc<Shared>>,
    Path(ChatPath { chat }): Path<ChatPath>,
    request: Request,
    next: Next,
) -> Response {
    admit_caller(&shared, Some(&chat), request, next).await
}

/// Denies callers who may not list the sessions.
async fn admit(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    admit_caller(&shared, None, request, next).await
}

async fn admit_caller(shared: &Shared, chat: Option<&str>, request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    match shared.access.check_caller(&parts, chat).await {
        Ok(()) => next.run(Request::from_parts(parts, body)).await,
        Err(denied) => denied.into_response(),
    }
}

#[derive(Deserialize)]
struct Login {
    token: String,
}

/// Stores the token in a cookie.
async fn login(
    State(shared): State<Arc<Shared>>,
    OriginalUri(uri): OriginalUri,
    headers: HeaderMap,
    login: Query<Login>,
) -> Response {
    if !shared.access.is_token(&login.token) {
        return crate::access::Denied::Caller.into_response();
    }
    let cookie = token_cookie(&headers, &uri, &login.token);
    (StatusCode::SEE_OTHER, [(SET_COOKIE, cookie), (LOCATION, after_login(&uri))]).into_response()
}

/// Lists earlier sessions.
async fn list(State(shared): State<Arc<Shared>>) -> Response {
    answer(StatusCode::OK, &json!({"sessions": sessions::list(&shared).await}))
}

/// Sends a command to the session of a chat.
async fn command(
    State(shared): State<Arc<Shared>>,
    Path(ChatPath { chat }): Path<ChatPath>,
    headers: HeaderMap,
    request: Request,
) -> Response {
    // A form of another page cannot send this type without asking the server first.
    let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    if !kind.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/json") {
        return problem(StatusCode::UNSUPPORTED_MEDIA_TYPE, "the header `Content-Type` must be application/json");
    }
    let Ok(body) = to_bytes(request.into_body(), MAX_BODY).await else {
        return problem(StatusCode::PAYLOAD_TOO_LARGE, "the body is too long or incomplete");
    };
    let command: Command = match serde_json::from_slice(&body) {
        Ok(command) => command,
        Err(error) => return problem(StatusCode::BAD_REQUEST, &format!("the body is not a command: {error}")),
    };
    match shared.send(&chat, &command).await {
        Ok(is_new) => answer(StatusCode::ACCEPTED, &json!({"duplicate": !is_new})),
        Err(error) => error.into_response(),
    }
}

fn answer(status: StatusCode, value: &Value) -> Response {
    (status, [(CONTENT_TYPE, "application/json")], value.to_string()).into_response()
}

fn problem(status: StatusCode, message: &str) -> Response {
    answer(status, &json!({"error": message}))
}

impl IntoResponse for WebError {
    fn into_response(self) -> Response {
        let status = match &self {
            Self::Invalid(_) => StatusCode::BAD_REQUEST,
            Self::Ended => StatusCode::GONE,
            Self::NotRunning => StatusCode::CONFLICT,
            Self::TooManyWatchers | Self::TooManySessions => StatusCode::SERVICE_UNAVAILABLE,
            Self::Store(crate::store::StoreError::TooManyCommands) => StatusCode::SERVICE_UNAVAILABLE,
            Self::Store(error) => {
                tracing::error!(error = %crate::session::Chain(error), "the store of chats failed");
                StatusCode::SERVICE_UNAVAILABLE
            }
        };
        problem(status, &self.to_string())
    }
}
