//! A server with one feature of each kind, and every way to connect to it.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use mcp_client::{Builder, Client, Revision};
use mcp_core::ask::Sampling;
use mcp_core::protocol::PromptMessage;
use mcp_core::task::Tasks;
use mcp_core::{
    Cache, Context, Json, Live, LogLevel, Server, ToolError, completion::Typed, json_type, prompt, prompts, resource,
    resources, tool, tools,
};
use mcp_http::Http;
use tokio::sync::Semaphore;
use tokio::task::AbortHandle;

/// The parts of running tools that a test can observe.
#[derive(Clone)]
pub(crate) struct Probe(pub(crate) Arc<Counters>);

pub(crate) struct Counters {
    /// A permit for each call of `wait` that has begun.
    pub(crate) begun: Semaphore,
    /// A permit for each call of `wait` that was dropped.
    pub(crate) dropped: Semaphore,
    /// The number of requests for `list`.
    pub(crate) reads: AtomicUsize,
    live: std::sync::OnceLock<Live>,
}

#[json_type]
pub(crate) struct Point {
    pub(crate) x: i64,
    pub(crate) y: i64,
}

#[json_type]
struct Name {
    name: String,
    #[serde(default)]
    times: Option<u32>,
}

/// Add two numbers.
#[tool]
pub(crate) async fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Move a point.
#[tool]
pub(crate) async fn shift(x: i64, y: i64) -> Json<Point> {
    Json(Point { x: x + 1, y: y + 1 })
}

/// Fail.
#[tool]
async fn fail() -> Result<String, ToolError> {
    Err("it is broken".into())
}

/// Wait until the call is cancelled.
#[tool]
async fn wait(probe: &Probe) {
    struct Dropped(Probe);
    impl Drop for Dropped {
        fn drop(&mut self) {
            self.0.0.dropped.add_permits(1);
        }
    }
    let _dropped = Dropped(probe.clone());
    probe.0.begun.add_permits(1);
    std::future::pending::<()>().await;
}

/// Count.
#[tool]
async fn count(to: u32, cx: &Context) -> u32 {
    for number in 1..=to {
        cx.progress(number, to, format!("step {number}"));
        tokio::task::yield_now().await;
    }
    to
}

/// Greet somebody, after asking for the name.
#[tool]
async fn greet(cx: &Context) -> Result<String, ToolError> {
    let name = cx.elicit::<Name>("Who are you?").await?.accepted();
    Ok(name.map_or_else(|| "nobody".to_owned(), |name| format!("Hello, {} {:?}", name.name, name.times)))
}

/// Ask the user to open a page.
#[tool]
async fn visit(cx: &Context) -> Result<String, ToolError> {
    Ok(format!("{:?}", cx.elicit_url("Pay here", "https://example.com/pay").await?))
}

/// Ask a model.
#[tool]
async fn ask(cx: &Context) -> Result<String, ToolError> {
    Ok(cx.sample(Sampling::new([PromptMessage::user("Name a colour")], 20)).await?.to_text())
}

/// List the folders of the user.
#[tool]
async fn folders(cx: &Context) -> Result<String, ToolError> {
    Ok(cx.roots().await?.into_iter().map(|root| root.uri).collect::<Vec<_>>().join(","))
}

/// Write to the log.
#[tool]
async fn log(cx: &Context) {
    cx.log(LogLevel::Debug, "a detail");
    cx.log(LogLevel::Warning, "a warning");
}

/// Write on the board.
#[tool]
async fn write(cx: &Context) {
    cx.resource_updated("board://");
}

/// Load the plugin.
#[tool]
async fn load(probe: &Probe) -> Result<(), ToolError> {
    let live = probe.0.live.get().ok_or("not live")?;
    live.replace(offers(probe).tools(tools![plugin]))?;
    Ok(())
}

/// A plugin.
#[tool]
async fn plugin() {}

/// A tool that can run as a task.
#[tool(task = optional)]
async fn report(cx: &Context) -> Result<String, ToolError> {
    let name = cx.elicit::<Name>("Who approves?").await?.accepted();
    Ok(format!("approved by {}", name.map_or_else(|| "nobody".to_owned(), |name| name.name)))
}

/// A tool that runs only as a task.
#[tool(task = required)]
async fn long() -> &'static str {
    "done"
}

/// What is on the board.
#[resource("board://")]
fn board(probe: &Probe) -> String {
    format!("read {}", probe.0.reads.fetch_add(1, Ordering::SeqCst))
}

/// A note.
#[resource("note://{name}")]
fn note(#[complete(names)] name: String) -> String {
    format!("about {name}")
}

fn names(typed: Typed) -> Vec<&'static str> {
    ["ada", "alan", "grace"].into_iter().filter(|name| name.starts_with(&typed.value)).collect()
}

/// Review some code.
#[prompt]
fn review(code: String) -> String {
    format!("Review: {code}")
}

fn offers(probe: &Probe) -> mcp_core::Builder {
    Server::builder("world", "1.0.0")
        .state(probe.clone())
        .tools(tools![add, shift, fail, wait, count, greet, visit, ask, folders, log, write, load, report, long])
        .resources(resources![board, note])
        .prompts(prompts![review])
        .page_size(4)
        .tasks(Tasks::default().poll_interval(std::time::Duration::from_millis(50)))
        .cache_lists(Cache::public(std::time::Duration::from_secs(60)))
        .seal(mcp_seal::Sealer::new(mcp_seal::Key::random().expect("the system has random numbers")))
}

pub(crate) fn server() -> (Live, Probe) {
    let counters = Counters {
        begun: Semaphore::new(0),
        dropped: Semaphore::new(0),
        reads: AtomicUsize::new(0),
        live: std::sync::OnceLock::new(),
    };
    let probe = Probe(Arc::new(counters));
    let live = Live::new(offers(&probe)).expect("the server is valid");
    probe.0.live.get_or_init(|| live.clone());
    (live, probe)
}

/// A way to connect.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Way {
    InProcess,
    Streams,
    Http,
    Sse,
}

/// Every way, with every revision that it has.
pub(crate) fn ways() -> Vec<(Way, Revision)> {
    let all = [Way::InProcess, Way::Streams, Way::Http].into_iter();
    let all = all.flat_map(|way| Revision::ALL.into_iter().map(move |revision| (way, revision)));
    all.chain([(Way::Sse, Revision::V2024_11_05), (Way::Sse, Revision::V2025_11_25)]).collect()
}

/// Those with a revision that has what a test is about.
pub(crate) fn ways_since(first: Revision) -> impl Iterator<Item = (Way, Revision)> {
    ways().into_iter().filter(move |(_, revision)| *revision >= first)
}

/// A server that serves until this value is dropped.
pub(crate) struct Served {
    pub(crate) probe: Probe,
    task: Option<AbortHandle>,
}

impl Drop for Served {
    fn drop(&mut self) {
        if let Some(task) = &self.task {
            task.abort();
        }
    }
}

impl Way {
    /// Starts a server, and returns the options of a client for it.
    pub(crate) async fn serve(self) -> (Builder, Served) {
        let (live, probe) = server();
        let (builder, task) = match self {
            Way::InProcess => (Client::of(live), None),
            Way::Streams => {
                let (ours, theirs) = tokio::io::duplex(4096);
                let (read, write) = tokio::io::split(theirs);
                let task = tokio::spawn(async move {
                    let _ = mcp_stdio::serve_on(live, read, write).await;
                });
                let (read, write) = tokio::io::split(ours);
                (Client::connect(read, write), Some(task.abort_handle()))
            }
            Way::Http | Way::Sse => {
                let listener = Http::new().with_sse().listen(live, "127.0.0.1:0").await.expect("a port is free");
                let address = listener.address();
                let task = tokio::spawn(listener.serve());
                let builder = match self {
                    Way::Http => Client::http(format!("http://{address}/mcp")),
                    _ => Client::sse(format!("http://{address}/sse")),
                };
                (builder, Some(task.abort_handle()))
            }
        };
        (builder, Served { probe, task })
    }

    /// Starts a server, and connects to it.
    pub(crate) async fn connect(self, revision: Revision) -> (Client, Served) {
        let (builder, served) = self.serve().await;
        let client = builder.revision(revision).await;
        (client.unwrap_or_else(|error| panic!("{self:?} {revision}: {error}")), served)
    }
}
