//! The server under test.

use std::time::Duration;

use mcp_core::serde_json::{Value, json};
use mcp_core::{Amount, Builder, Context, Elicited, LogLevel, Server, ToolSpec, json_type, tool_fn};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// What happened to calls of the tool `hang`: `started` or `dropped`.
pub(crate) type Events = UnboundedReceiver<&'static str>;

struct HangingCall(UnboundedSender<&'static str>);

impl Drop for HangingCall {
    fn drop(&mut self) {
        let _ = self.0.send("dropped");
    }
}

#[json_type]
struct Name {
    name: String,
}

/// Returns a server with a tool for each case, and the events of its calls of `hang`.
pub(crate) fn server() -> (Builder, Events) {
    let (sender, events) = unbounded_channel();
    let echo = tool_fn(
        ToolSpec::new("echo", "Return the text.").input_schema(json!({"type": "object", "properties": {
            "text": {"type": "string", "x-mcp-header": "Text"},
            "count": {"type": "integer", "x-mcp-header": "Count"},
        }})),
        |arguments: Value, _: Context| async move { arguments["text"].as_str().unwrap_or("nothing").to_owned() },
    );
    let chatty = tool_fn(ToolSpec::new("chatty", "Report progress."), |_: Value, cx: Context| async move {
        cx.progress(1, Amount::UNKNOWN, "started");
        tokio::time::sleep(Duration::from_millis(1)).await;
        cx.log(LogLevel::Error, "nearly done");
        "done"
    });
    let hang = tool_fn(ToolSpec::new("hang", "Never end."), move |_: Value, _: Context| {
        let hanging = HangingCall(sender.clone());
        async move {
            let _ = hanging.0.send("started");
            std::future::pending::<&str>().await
        }
    });
    let ask = tool_fn(ToolSpec::new("ask", "Ask for a name."), |_: Value, cx: Context| async move {
        cx.elicit::<Name>("Who are you?").await.map(|answer| match answer {
            Elicited::Accepted(answer) => format!("Hello, {}", answer.name),
            _ => "Hello".to_owned(),
        })
    });
    let patient = tool_fn(ToolSpec::new("patient", "Release the connection."), |_: Value, cx: Context| async move {
        cx.release_connection();
        tokio::time::sleep(Duration::from_millis(1)).await;
        "worth the wait"
    });
    let panics = tool_fn(ToolSpec::new("panics", "Panic."), |_: Value, _: Context| async { panic!("on purpose") as &str });
    (
        Server::builder("fixture", "1.0.0").tools(echo).tools(chatty).tools(hang).tools(panics).tools(ask).tools(patient),
        events,
    )
}
