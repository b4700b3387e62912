//! The server of a simulated session: a tool for each way in which a call can proceed.

use std::collections::BTreeMap;
use std::future::poll_fn;
use std::panic::resume_unwind;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context as Task, Poll, Waker};
use std::time::Duration;

use mcp_core::task::{StoreError, TaskStatus, TaskStore, TaskSupport, Tasks, TasksInMemory};
use mcp_core::transport::BoxFuture;
use mcp_core::{Context, Elicited, Limits, Server, ToolError, ToolSpec, tool_fn};
use serde_json::{Value, json};

use crate::bug::Bug;
use crate::random::Random;

/// Blocks calls until the simulation lets them continue. Clones are the same gate.
#[derive(Clone, Default)]
pub(super) struct Gate(Arc<Mutex<Waiting>>);

#[derive(Default)]
struct Waiting {
    next: u64,
    is_open: bool,
    calls: BTreeMap<u64, Option<Waker>>,
}

/// A call that waits at the gate. Leaves the table when it is dropped.
struct Pass {
    number: u64,
    gate: Gate,
}

/// The form of the tool `ask`.
#[derive(schemars::JsonSchema, serde::Deserialize)]
struct Form {
    ok: bool,
}

impl Gate {
    /// Returns the number of calls that wait.
    pub(super) fn waiting(&self) -> usize {
        self.lock().calls.len()
    }

    /// Lets one call continue.
    pub(super) fn let_one_pass(&self, random: &mut Random) {
        let waker = {
            let mut waiting = self.lock();
            let numbers: Vec<u64> = waiting.calls.keys().copied().collect();
            waiting.calls.remove(&random.pick(&numbers)).flatten()
        };
        waker.into_iter().for_each(Waker::wake);
    }

    /// Lets all calls continue, also later ones.
    pub(super) fn open(&self) {
        let calls = {
            let mut waiting = self.lock();
            waiting.is_open = true;
            std::mem::take(&mut waiting.calls)
        };
        calls.into_values().flatten().for_each(Waker::wake);
    }

    async fn pass(self) {
        let number = {
            let mut waiting = self.lock();
            if waiting.is_open {
                return;
            }
            waiting.next += 1;
            let number = waiting.next;
            waiting.calls.insert(number, None);
            number
        };
        let pass = Pass { number, gate: self };
        poll_fn(|task| pass.poll(task)).await;
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Pass {
    fn poll(&self, task: &Task<'_>) -> Poll<()> {
        match self.gate.lock().calls.get_mut(&self.number) {
            None => Poll::Ready(()),
            Some(waker) => {
                *waker = Some(task.waker().clone());
                Poll::Pending
            }
        }
    }
}

impl Drop for Pass {
    fn drop(&mut self) {
        let waker = self.gate.lock().calls.remove(&self.number);
        drop(waker);
    }
}

/// Builds the server. Every tool returns its argument `text`, if it returns a result.
pub(super) fn server(gate: &Gate, bug: Option<Bug>) -> Result<Server, String> {
    let (first, second, third) = (gate.clone(), gate.clone(), gate.clone());
    let wait = move |arguments: Value, cx: Context| {
        cx.progress(1, 2, "waiting");
        let gate = first.clone();
        async move {
            gate.pass().await;
            cx.progress(2, 2, "waited");
            text(&arguments)
        }
    };
    let timed = move |arguments: Value, _| {
        let gate = second.clone();
        async move {
            gate.pass().await;
            text(&arguments)
        }
    };
    let work = move |arguments: Value, cx: Context| {
        let gate = third.clone();
        async move {
            gate.pass().await;
            cx.sleep(Duration::from_millis(50)).await;
            text(&arguments)
        }
    };
    let nap = |arguments: Value, cx: Context| async move {
        for step in 1..4 {
            cx.sleep(Duration::from_millis(150)).await;
            cx.progress(step, 3, "napping");
        }
        text(&arguments)
    };
    let ask = |arguments: Value, cx: Context| async move {
        Ok::<_, ToolError>(match cx.elicit::<Form>("Continue?").await? {
            Elicited::Accepted(Form { ok: true }) => text(&arguments),
            _ => "declined".to_owned(),
        })
    };
    let fail = |_: Value, _| async { Err::<(), _>(ToolError::new("failed")) };
    // Does not call the panic hook, which would print thousands of lines.
    let panic = |_: Value, _| async { resume_unwind(Box::new("a tool panicked")) as () };
    let policy = Tasks::default().ttl(super::TASK_LIFETIME).store(Store::new(bug));
    Server::builder("simulated", "1.0.0")
        .tools(tool_fn(spec("echo", "Return the text."), |arguments: Value, _| async move { text(&arguments) }))
        .tools(tool_fn(spec("wait", "Wait at the gate."), wait))
        .tools(tool_fn(spec("timed", "Wait for one second.").timeout(Duration::from_secs(1)), timed))
        .tools(tool_fn(spec("work", "Work as a task.").task_support(TaskSupport::Optional), work))
        .tools(tool_fn(spec("nap", "Sleep, with progress."), nap))
        .tools(tool_fn(spec("ask", "Ask the user.").asks::<Form>(), ask))
        .tools(tool_fn(spec("fail", "Fail."), fail))
        .tools(tool_fn(spec("panic", "Panic."), panic))
        .tools(mcp_core::tools![block])
        .limits(Limits::default().in_flight(24))
        .tasks(policy)
        .build()
        .map_err(|error| error.to_string())
}

fn spec(name: &'static str, description: &'static str) -> ToolSpec {
    let schema = json!({"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]});
    ToolSpec::new(name, description).input_schema(schema)
}

fn text(arguments: &Value) -> String {
    arguments["text"].as_str().unwrap_or_default().to_owned()
}

/// Return the text, from a thread that may block.
#[mcp_core::tool]
fn block(text: String) -> String {
    text
}

/// A task store that may return an old status.
struct Store {
    inner: TasksInMemory,
    is_stale: bool,
}

impl Store {
    fn new(bug: Option<Bug>) -> Store {
        Store { inner: TasksInMemory::new(100, 1 << 20), is_stale: bug == Some(Bug::StaleTask) }
    }
}

impl TaskStore for Store {
    fn save(&self, task: mcp_core::task::Task) -> BoxFuture<Result<(), StoreError>> {
        self.inner.save(task)
    }

    fn load(&self, id: &str) -> BoxFuture<Result<Option<mcp_core::task::Task>, StoreError>> {
        let (loaded, is_stale) = (self.inner.load(id), self.is_stale);
        Box::pin(async move {
            let mut task = loaded.await?;
            if let Some(task) = task.as_mut().filter(|_| is_stale) {
                task.status = TaskStatus::Working;
            }
            Ok(task)
        })
    }

    fn list(&self, owner: &str) -> BoxFuture<Result<Vec<mcp_core::task::Task>, StoreError>> {
        self.inner.list(owner)
    }

    fn remove(&self, id: &str) -> BoxFuture<Result<(), StoreError>> {
        self.inner.remove(id)
    }
}
