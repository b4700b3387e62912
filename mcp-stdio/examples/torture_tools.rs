//! A server whose tools do what tools should not: the other end of the tests of this crate.

use std::process::{Command, ExitCode};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use mcp_core::{Call, Calling, Context, IntoToolResult, Server, Tool, ToolResult, ToolSpec, tool_fn};
use serde_json::{Value, json};

fn main() -> ExitCode {
    let tools = [
        tool_fn(spec("echo", "Return the text.", "text", "string"), |a: Value, _: Context| async move { text(&a, "text") }),
        tool_fn(spec("slow", "Sleep, and let others run.", "ms", "number"), |a: Value, _: Context| async move {
            tokio::time::sleep(milliseconds(&a)).await;
            "slept"
        }),
        tool_fn(spec("flood", "Return that many bytes of text.", "bytes", "integer"), |a: Value, _: Context| async move {
            "x".repeat(usize::try_from(a["bytes"].as_u64().unwrap_or(0)).unwrap_or(0))
        }),
        plain(spec("block", "Sleep, and block the thread.", "ms", "number"), |a, _| {
            thread::sleep(milliseconds(&a));
            "blocked"
        }),
        tool_fn(
            spec("freeze", "Block the thread in an async function.", "ms", "number"),
            |a: Value, _: Context| async move {
                thread::sleep(milliseconds(&a));
                "froze"
            },
        ),
        plain(ToolSpec::new("add", "Add two integers.").input_schema(operands()), |a, _| sum(&a)),
        plain(ToolSpec::new("panic", "Panic."), |_, _| panic_with_a_secret()),
        tool_fn(ToolSpec::new("panic_async", "Panic in an async function."), |_: Value, _: Context| async {
            panic_with_a_secret()
        }),
        plain(ToolSpec::new("pollute", "Print to stdout, also from a child process."), |_, _| pollute()),
        plain(ToolSpec::new("eat", "Let a child process read all of stdin."), |_, _| {
            format!("{:?}", Command::new("cat").output().map(|output| output.stdout))
        }),
        plain(ToolSpec::new("count", "Report progress for a while."), |_, context| {
            for n in 0..5 {
                context.progress(n, 5, "counting");
                thread::sleep(Duration::from_millis(150));
            }
            "counted"
        }),
        plain(spec("wait_cancelled", "Block until the call is cancelled.", "ms", "number"), |a, context| {
            let step = Duration::from_millis(1);
            let steps = milliseconds(&a).as_millis();
            (0..steps)
                .find(|_| {
                    context.is_cancelled() || {
                        thread::sleep(step);
                        false
                    }
                })
                .is_some()
                .to_string()
        }),
        plain(spec("block_at_most_50_ms", "Has a timeout.", "ms", "number").timeout(Duration::from_millis(50)), |a, _| {
            thread::sleep(milliseconds(&a));
            "in time"
        }),
        plain(ToolSpec::new("serve_again", "Try to serve a second time."), |_, _| {
            format!("{:?}", mcp_stdio::run(Server::new("second", "1.0.0")) == ExitCode::from(2))
        }),
    ];
    mcp_stdio::run(Server::new("torture-tools", "1.0.0").tools(tools))
}

/// A tool with one required argument.
fn spec(name: &'static str, description: &'static str, argument: &str, kind: &str) -> ToolSpec {
    let properties = json!({argument: {"type": kind}});
    ToolSpec::new(name, description)
        .input_schema(json!({"type": "object", "properties": properties, "required": [argument]}))
}

fn operands() -> Value {
    json!({"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}, "required": ["a", "b"]})
}

fn sum(arguments: &Value) -> i64 {
    arguments["a"].as_i64().unwrap_or(0) + arguments["b"].as_i64().unwrap_or(0)
}

fn text(arguments: &Value, name: &str) -> String {
    arguments[name].as_str().unwrap_or_default().to_owned()
}

fn milliseconds(arguments: &Value) -> Duration {
    Duration::from_secs_f64(arguments["ms"].as_f64().unwrap_or(0.0).max(0.0) / 1000.0)
}

fn panic_with_a_secret() -> &'static str {
    panic!("secret-in-panic")
}

#[allow(clippy::print_stdout, reason = "to pollute is its purpose")]
fn pollute() -> String {
    println!("printed by a tool");
    print!("unfinished");
    let child = Command::new("echo").arg("printed by a child").status();
    format!("{:?}", child.map(|status| status.success()))
}

/// A tool made of a plain function.
fn plain<R: IntoToolResult>(
    spec: ToolSpec,
    function: impl Fn(Value, Context) -> R + Clone + Send + Sync + 'static,
) -> Arc<dyn Tool> {
    Arc::new(Plain { spec, function: Arc::new(move |a, context| function(a, context).into_tool_result()) })
}

struct Plain {
    spec: ToolSpec,
    function: Arc<dyn Fn(Value, Context) -> ToolResult + Send + Sync>,
}

impl Tool for Plain {
    fn spec(&self) -> ToolSpec {
        self.spec.clone()
    }

    fn call(&self, call: Call<'_>) -> Calling {
        let (function, context) = (self.function.clone(), call.context().clone());
        match call.decode::<Value>() {
            Ok(arguments) => Calling::blocking(move || function(arguments, context)),
            Err(refusal) => Calling::ready(refusal),
        }
    }
}
