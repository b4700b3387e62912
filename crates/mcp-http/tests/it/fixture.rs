//! The server under test.

use std::time::Duration;

use mcp_core::serde_json::{Value, json};
use mcp_core::{Amount, Builder, Context, Elicited, LogLevel, Server, ToolSpec, schemars, serde, tool_fn};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// What became of calls that hang.
pub(crate) type Fates = UnboundedReceiver<&'static str>;

struct Hanging(UnboundedSender<&'static str>);

impl Drop for Hanging {
    fn drop(&mut self) {
        let _ = self.0.send("dropped");
    }
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
#[serde(crate = "mcp_core::serde")]
#[schemars(crate = "mcp_core::schemars")]
struct Name {
    name: String,
}

/// A server with a tool for each case, and what its hanging calls tell.
pub(crate) fn server() -> (Builder, Fates) {
    let (sender, fates) = unbounded_channel();
    let echo = tool_fn(
        ToolSpec::new("echo", "Give back.").input_schema(json!({"type": "object", "properties": {
            "text": {"type": "string", "x-mcp-header": "Text"},
            "count": {"type": "integer", "x-mcp-header": "Count"},
        }})),
        |arguments: Value, _: Context| async move { arguments["text"].as_str().unwrap_or("nothing").to_owned() },
    );
    let chatty = tool_fn(ToolSpec::new("chatty", "Tell how far it is."), |_: Value, cx: Context| async move {
        cx.progress(1, Amount::UNKNOWN, "begun");
        tokio::time::sleep(Duration::from_millis(1)).await;
        cx.log(LogLevel::Error, "nearly done");
        "done"
    });
    let hang = tool_fn(ToolSpec::new("hang", "Never end."), move |_: Value, _: Context| {
        let hanging = Hanging(sender.clone());
        async move {
            let _ = hanging.0.send("begun");
            std::future::pending::<&str>().await
        }
    });
    let ask = tool_fn(ToolSpec::new("ask", "Ask for a name."), |_: Value, cx: Context| async move {
        cx.elicit::<Name>("Who are you?").await.map(|answer| match answer {
            Elicited::Accepted(answer) => format!("Hello, {}", answer.name),
            _ => "Hello".to_owned(),
        })
    });
    let patient = tool_fn(ToolSpec::new("patient", "Let go of the connection."), |_: Value, cx: Context| async move {
        cx.release_connection();
        tokio::time::sleep(Duration::from_millis(1)).await;
        "worth the wait"
    });
    let panics = tool_fn(ToolSpec::new("panics", "Panic."), |_: Value, _: Context| async { panic!("as it should") as &str });
    (
        Server::builder("fixture", "1.0.0").tools(echo).tools(chatty).tools(hang).tools(panics).tools(ask).tools(patient),
        fates,
    )
}
