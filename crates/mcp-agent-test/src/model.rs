//! The stand-in for the model.

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
pub use usage::{StopReason, Usage};

/// A stand-in for the Messages API on a loopback port.
///
/// It answers `POST /v1/messages`, streamed or whole, with scripted [`Turn`]s, and keeps every request it saw. Point a
/// CLI at it by `ANTHROPIC_BASE_URL` ([`Sandbox`](crate::Sandbox) does) and no test needs a network, a key or luck.
///
/// There are two ways to script it. A prompt may carry its own turns ([`prompt`]); then any number of tests can share one
/// model. Or turns are queued with [`push`](Self::push) and answer, in order, the requests that carry none; then the model
/// belongs to one test. With nothing to say it says "ok".
///
/// The model runs on a thread of its own, so it can live in a `static` that tests with a runtime each share, and it
/// answers even while a test blocks. Dropping it ends it.
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
    /// When the system gives no port or no thread.
    pub fn start() -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        listener.set_nonblocking(true)?;
        let state = Arc::new(ModelState::new(listener.local_addr()?.port()));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let (stop, stopped) = oneshot::channel();
        let served = Arc::clone(&state);
        let thread = thread::Builder::new().name("model".into()).spawn(move || {
            runtime.block_on(async move {
                let Ok(listener) = tokio::net::TcpListener::from_std(listener) else {
                    return;
                };
                tokio::select! {
                    () = server::serve(listener, served) => {}
                    _ = stopped => {}
                }
            });
        })?;
        Ok(Self { state, stop: Some(stop), thread: Some(thread) })
    }

    /// The port it listens on.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.state.port
    }

    /// What `ANTHROPIC_BASE_URL` must be for a CLI to come here.
    #[must_use]
    pub fn base_url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port())
    }

    /// Queues a turn for the next request whose prompts carry no script.
    pub fn push(&self, turn: Turn) {
        self.state.push(turn);
    }

    /// How many queued turns nobody has asked for yet.
    #[must_use]
    pub fn queued(&self) -> usize {
        self.state.queued()
    }

    /// The gate of this name, made at the first mention.
    #[must_use]
    pub fn pause_point(&self, name: &str) -> PausePoint {
        self.state.pause_point(name)
    }

    /// Every request so far that asked for a turn, oldest first.
    #[must_use]
    pub fn requests(&self) -> Vec<Request> {
        self.state.requests().into_iter().filter(Request::is_turn).collect()
    }

    /// Every request so far, also those that asked for something else than a turn.
    #[must_use]
    pub fn all_requests(&self) -> Vec<Request> {
        self.state.requests()
    }

    /// The results of tools that the model saw in its newest request.
    #[must_use]
    pub fn tool_results(&self) -> Vec<ToolResult> {
        self.requests().last().map(Request::tool_results).unwrap_or_default()
    }

    /// Waits until `count` requests have asked for a turn.
    pub async fn wait_for_requests(&self, count: usize) {
        self.state.until(|requests| requests.iter().filter(|request| request.is_turn()).count() >= count).await;
    }

    /// Waits until every request so far has its whole reply, or its client has hung up.
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
