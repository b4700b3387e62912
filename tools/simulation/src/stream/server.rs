//! The server that the worlds on tokio share, and the count of its running calls.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use mcp_core::{Builder, Context, Elicited, Server, ToolError, ToolSpec, tool_fn};
use serde_json::{Value, json};

/// Counts the calls that run. Clones are the same count.
#[derive(Clone, Default)]
pub(crate) struct Running(Arc<AtomicUsize>);

/// A running call, until it is dropped.
struct Call(Running);

/// The form of the tool `ask`.
#[derive(schemars::JsonSchema, serde::Deserialize)]
struct Form {
    ok: bool,
}

impl Running {
    /// Returns the number of calls that run.
    pub(crate) fn count(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }

    fn begin(&self) -> Call {
        self.0.fetch_add(1, Ordering::SeqCst);
        Call(self.clone())
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// A server whose tools return their argument `text`: at once (`echo`), after `ms` milliseconds (`nap`), after a question to the
/// user (`ask`), or never (`hang`).
pub(crate) fn server(running: &Running) -> Builder {
    let (first, second, third) = (running.clone(), running.clone(), running.clone());
    let nap = move |arguments: Value, cx: Context| {
        let call = first.begin();
        async move {
            let _call = call;
            for step in 1..4 {
                tokio::time::sleep(Duration::from_millis(arguments["ms"].as_u64().unwrap_or(1))).await;
                cx.progress(step, 3, "napping");
            }
            text(&arguments)
        }
    };
    let ask = move |arguments: Value, cx: Context| {
        let call = second.begin();
        async move {
            let _call = call;
            Ok::<_, ToolError>(match cx.elicit::<Form>("Continue?").await? {
                Elicited::Accepted(Form { ok: true }) => text(&arguments),
                _ => "declined".to_owned(),
            })
        }
    };
    let hang = move |_: Value, _: Context| {
        let call = third.begin();
        async move {
            let _call = call;
            std::future::pending::<()>().await;
        }
    };
    Server::builder("simulated", "1.0.0")
        .tools(tool_fn(spec("echo", "Return the text."), |arguments: Value, _| async move { text(&arguments) }))
        .tools(tool_fn(spec("nap", "Return the text after some time."), nap))
        .tools(tool_fn(spec("ask", "Return the text if the user agrees.").asks::<Form>(), ask))
        .tools(tool_fn(spec("hang", "Never return."), hang))
}

fn spec(name: &'static str, description: &'static str) -> ToolSpec {
    let properties = json!({"text": {"type": "string"}, "ms": {"type": "integer"}});
    ToolSpec::new(name, description).input_schema(json!({"type": "object", "properties": properties}))
}

fn text(arguments: &Value) -> String {
    arguments["text"].as_str().unwrap_or_default().to_owned()
}
