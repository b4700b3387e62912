//! MCP servers outside of the process of the agent: requests without the model, elicitation, and its hooks.

use std::sync::{Arc, Mutex};

use mcp_agent::hook::{Elicitation, ElicitationResult};
use mcp_agent::{Agent, ElicitationAnswer, Hook, McpCall, McpServer};
use mcp_agent_test::Turn;
use mcp_core::{AskError, Context, Elicited, Server, json_type, resource, resources, tool, tools};
use mcp_http::Http;
use serde_json::{Map, json};

use crate::test_setup::{TestSetup, ask, setup_or_skip, within};

/// Add two numbers.
#[tool(read_only)]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Who asks?
#[json_type]
struct Name {
    name: String,
}

/// Greet the user.
#[tool]
async fn greet(cx: &Context) -> Result<String, AskError> {
    Ok(match cx.elicit::<Name>("Who are you?").await? {
        Elicited::Accepted(answer) => format!("hello {}", answer.name),
        _ => "hello".to_owned(),
    })
}

/// The message of the day. The CLI reads only resources that are user interfaces.
#[resource("ui://motd")]
async fn motd() -> &'static str {
    "Eat more eggs."
}

/// An agent with a server that runs until the test ends.
async fn with_server(setup: &TestSetup) -> Agent {
    let server = Server::builder("calc", "1.0.0").tools(tools![add, greet]).resources(resources![motd]);
    let listener = Http::new().listen(server, "127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.address());
    tokio::spawn(listener.serve_until(std::future::pending::<()>()));
    setup.agent().mcp_server("calc", McpServer::http(url)).allow_tools(["mcp__calc__*"])
}

#[tokio::test]
async fn a_tool_is_called_and_a_resource_read_without_the_model() {
    let setup = setup_or_skip!();
    let mut session = within(with_server(&setup).await.open()).await.unwrap();
    // The servers are connected when the first turn begins.
    ask(&mut session, [Turn::text("hello")]).await;
    let handle = session.handle();
    let status = within(handle.mcp_status()).await.unwrap();
    assert_eq!((status[0].name.as_str(), status[0].status.as_str()), ("calc", "connected"));
    let arguments = json!({"a": 2, "b": 3}).as_object().cloned().unwrap();
    let result = within(handle.mcp_call("mcp__calc__add", arguments)).await.unwrap();
    assert!(result.raw().get().contains('5'), "{result:?}");
    let call = McpCall::new("mcp__calc__add").argument("a", 4).argument("b", 5).check_permissions();
    let result = within(handle.mcp_call_with(call)).await.unwrap();
    assert!(result.raw().get().contains('9'), "{result:?}");
    let resource = within(handle.mcp_read_resource("calc", "ui://motd")).await.unwrap();
    assert_eq!(
        (resource.contents[0].uri.as_str(), resource.contents[0].text.as_deref()),
        ("ui://motd", Some("Eat more eggs."))
    );
    assert!(within(handle.mcp_call("mcp__calc__missing", Map::new())).await.is_err());
}

#[tokio::test]
async fn an_elicitation_reaches_the_callback_and_its_hooks() {
    let setup = setup_or_skip!();
    let seen: Arc<Mutex<Vec<String>>> = Arc::default();
    let (before, after) = (Arc::clone(&seen), Arc::clone(&seen));
    let agent = with_server(&setup).await;
    let agent = agent
        .elicitation(|request| async move {
            assert_eq!((request.mcp_server_name.as_str(), request.message.as_str()), ("calc", "Who are you?"));
            ElicitationAnswer::Accept { content: json!({"name": "Ada"}).as_object().cloned() }
        })
        .hook(Hook::<Elicitation>::new(), move |call| {
            before.lock().unwrap().push(format!("{}: {}", call.mcp_server_name, call.message));
            async {}
        })
        .hook(Hook::<ElicitationResult>::new(), move |call| {
            after.lock().unwrap().push(format!("{} {}", call.action, call.content.clone().unwrap_or_default()));
            async {}
        });
    let mut session = within(agent.open()).await.unwrap();
    assert_eq!(ask(&mut session, [Turn::tool("mcp__calc__greet", json!({})), Turn::text("done")]).await, "done");
    assert_eq!(setup.model.tool_results()[0].text, "hello Ada");
    assert_eq!(*seen.lock().unwrap(), ["calc: Who are you?", r#"accept {"name":"Ada"}"#]);
}
