//! One of several instances of a server: `instance REDIS KEY`. Prints its address to standard output.

use std::error::Error;
use std::process;
use std::time::Duration;

use mcp_core::serde_json::{Value, json};
use mcp_core::task::{TaskSupport, Tasks};
use mcp_core::{Builder, Context, Elicited, Server, ToolSpec, json_type, tool_fn};
use mcp_http::Http;
use mcp_redis::Redis;
use mcp_seal::{Key, Sealer};

#[json_type]
struct Name {
    name: String,
}

/// The same tools on every instance. Results contain the process id of the instance.
fn server() -> Builder {
    let number = json!({"type": "object", "properties": {"number": {"type": "integer"}}, "required": ["number"]});
    let double = ToolSpec::new("double", "Double a number, slowly.").idempotent(true).input_schema(number.clone());
    let double = tool_fn(double, |arguments: Value, _: Context| async move {
        tokio::time::sleep(Duration::from_millis(20)).await;
        format!("{} by {}", arguments["number"].as_i64().unwrap_or_default() * 2, process::id())
    });
    let greet = tool_fn(ToolSpec::new("greet", "Ask for a name and greet it."), |_: Value, cx: Context| async move {
        cx.elicit::<Name>("Who are you?").await.map(|answer| match answer {
            Elicited::Accepted(answer) => format!("Hello, {}, by {}", answer.name, process::id()),
            _ => "Hello".to_owned(),
        })
    });
    let later = ToolSpec::new("later", "Take 100 ms.").task_support(TaskSupport::Required);
    let later = tool_fn(later, |_: Value, _: Context| async move {
        tokio::time::sleep(Duration::from_millis(100)).await;
        "finished"
    });
    let wait = ToolSpec::new("wait", "Wait until the task is cancelled.").task_support(TaskSupport::Required);
    let wait = tool_fn(wait, |_: Value, cx: Context| async move { cx.cancelled().await });
    let sign = ToolSpec::new("sign", "Ask the client for a signature.").task_support(TaskSupport::Required);
    let sign = tool_fn(sign, |_: Value, cx: Context| async move {
        cx.elicit::<Name>("Who signs?").await.map(|answer| answer.accepted().map(|answer| answer.name))
    });
    Server::builder("instance", "1.0.0").tools([double, greet, later, wait, sign])
}

#[tokio::main(flavor = "current_thread")]
#[expect(clippy::print_stdout, reason = "the tests read the address")]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(redis), Some(key)) = (arguments.next(), arguments.next()) else {
        return Err("usage: instance REDIS KEY".into());
    };
    let redis = Redis::connect(&redis).await?;
    // All instances have the same key, so each of them can open state that another one sealed.
    let server = server().tasks(Tasks::default().store(redis.clone())).seal(Sealer::new(Key::from_hex(&key)?));
    let listener = Http::new().session_store(redis).listen(server, "127.0.0.1:0").await?;
    println!("{}", listener.address());
    listener.serve().await?;
    Ok(())
}
