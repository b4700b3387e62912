//! A mock of the Messages API.

mod api_error;
mod block;
mod pause_point;
mod prompt;
mod reply;
mod request;
mod server;
mod state;
mod turn;
mod usage;

use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use tokio::sync::oneshot;

use state::ModelState;

pub use api_error::ApiError;
pub use block::{Block, ToolUse};
pub use pause_point::PausePoint;
pub use prompt::prompt;
pub use request::{Request, ToolResult};
pub use turn::Turn;
pub use usage::{CacheCreation, Region, ServerToolUse, Speed, StopReason, Usage};

/// A mock of the Messages API on a loopback port.
///
/// It answers `POST /v1/messages` with scripted [`Turn`]s, streamed or as one JSON message, and records every request.
/// The CLI uses it when `ANTHROPIC_BASE_URL` is [`base_url`](Self::base_url); [`Sandbox`](crate::Sandbox) sets that.
///
/// There are two ways to script it. A prompt can contain its own turns (see [`prompt`]); any number of tests can then
/// share one model. Or turns are queued with [`push`](Self::push) and answer, in order, the requests whose prompts contain
/// no script; the model must then be used by one test only. If there is no scripted turn, the reply is the text "ok".
///
/// The model runs on its own thread. It can therefore be a `static` that is shared by tests with different runtimes, and
/// it answers even while a test blocks its thread. Dropping it stops the server.
///
/// ```
/// use mcp_agent_test::{Model, Turn};
/// use std::io::{Read as _, Write as _};
/// use std::net::TcpStream;
///
/// let model = Model::start()?;
/// model.push(Turn::text("hello"));
///
/// let mut stream = TcpStream::connect(("127.0.0.1", model.port()))?;
/// let body = r#"{"model": "any", "messages": [{"role": "user", "content": "hi"}]}"#;
/// write!(
///     stream,
///     "POST /v1/messages HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}",
///     body.len(),
/// )?;
/// let mut reply = String::new();
/// stream.read_to_string(&mut reply)?;
///
/// assert!(reply.contains(r#""text":"hello""#));
/// assert!(model.requests()[0].mentions("hi"));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Model {
    state: Arc<ModelState>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Model {
    /// Starts a model on a free port of 127.0.0.1.
    ///
    /// # Errors
    /// If the port cannot be bound or the thread cannot be started.
    pub fn start() -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        listener.set_nonblocking(true)?;
        let state = Arc::new(ModelState::new(listener.local_addr()?.port()));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let (stop, stopped) = oneshot::channel();
        let server_state = Arc::clone(&state);
        let thread = thread::Builder::new().name("model".into()).spawn(move || {
            runtime.block_on(async move {
                let Ok(listener) = tokio::net::TcpListener::from_std(listener) else {
                    return;
                };
                tokio::select! {
                    () = server::serve(listener, server_state) => {}
                    _ = stopped => {}
                }
            });
        })?;
        Ok(Self { state, stop: Some(stop), thread: Some(thread) })
    }

    /// Returns the port that the server listens on.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.state.port
    }

    /// Returns the value of `ANTHROPIC_BASE_URL` that makes a CLI use this model.
    #[must_use]
    pub fn base_url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port())
    }

    /// Queues a turn for the next request whose prompts contain no script.
    pub fn push(&self, turn: Turn) {
        self.state.push(turn);
    }

    /// Returns the number of queued turns that are not used yet.
    #[must_use]
    pub fn queued(&self) -> usize {
        self.state.queued()
    }

    /// Returns the pause point with this name, and creates it if it does not exist.
    #[must_use]
    pub fn pause_point(&self, name: &str) -> PausePoint {
        self.state.pause_point(name)
    }

    /// Returns every request for a turn so far, oldest first.
    #[must_use]
    pub fn requests(&self) -> Vec<Request> {
        self.state.requests().into_iter().filter(Request::is_turn).collect()
    }

    /// Returns every request so far, including requests to other endpoints.
    #[must_use]
    pub fn all_requests(&self) -> Vec<Request> {
        self.state.requests()
    }

    /// Returns the tool results in the newest request.
    #[must_use]
    pub fn tool_results(&self) -> Vec<ToolResult> {
        self.requests().last().map(Request::tool_results).unwrap_or_default()
    }

    /// Waits until there were `count` requests for a turn.
    pub async fn wait_for_requests(&self, count: usize) {
        self.state.until(|requests| requests.iter().filter(|request| request.is_turn()).count() >= count).await;
    }

    /// Waits until every request so far is answered completely or its client has disconnected.
    pub async fn wait_until_idle(&self) {
        self.state.until(|requests| requests.iter().all(Request::is_finished)).await;
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        self.stop.take();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
