//! `server-everything`, the reference server, over its three transports.

use interop::{Node, Sandbox};
use mcp_client::{Builder, Client, Completable, Elicited, LogLevel, Revision, Root, Sample};
use serde_json::{Map, json};
use test_env::needs;

use crate::server::Server;
use crate::{over_http, process, run, sandbox};

const SCRIPT: &str = "@modelcontextprotocol/server-everything/dist/index.js";

#[test]
fn server_everything_serves_the_client_over_stdio() {
    let Some(node) = needs(Node::servers()) else { return };
    let place = sandbox("everything-stdio");
    run(async {
        let client = options(process(node.program(SCRIPT, &place))).await.unwrap();
        visit(&client).await;
        client.close().await;
    });
}

#[test]
fn server_everything_serves_the_client_over_http() {
    over("streamableHttp", "mcp", Client::http);
}

#[test]
fn server_everything_serves_the_client_over_sse() {
    over("sse", "sse", Client::sse);
}

fn over(transport: &str, path: &str, connect: impl Fn(String) -> Builder) {
    let Some(node) = needs(Node::servers()) else { return };
    let place: Sandbox = sandbox(&format!("everything-{transport}"));
    let server = Server::start(path, |port| {
        let mut command = node.program(SCRIPT, &place);
        command.arg(transport).env("PORT", port.to_string());
        command
    });
    run(async {
        let client = over_http(&server, |url| options(connect(url))).await;
        visit(&client).await;
        client.close().await;
    });
}

/// Returns a client that handles every request of a server.
fn options(builder: Builder) -> Builder {
    builder
        .log_level(LogLevel::Debug)
        .roots([Root::new("file:///work").name("work")])
        .on_sample(async |_| Ok(Sample::new("test-model", "forty-two")))
        .on_elicit(async |elicitation| {
            let name = Map::from_iter([("name".to_owned(), json!("Ada")), ("color".to_owned(), json!("red"))]);
            assert!(!elicitation.message.is_empty());
            Ok(Elicited::Accepted(name))
        })
}

async fn visit(client: &Client) {
    assert_eq!(client.server().await.unwrap().revision, Revision::V2025_11_25);
    let tools = client.tools().all().await.unwrap();
    assert!(tools.len() >= 10 && tools.iter().any(|tool| tool.name == "get-sum"), "{tools:?}");
    assert_eq!(client.call("echo", json!({"message": "hello"})).await.unwrap().to_text(), "Echo: hello");
    let sum = client.call("get-sum", json!({"a": 2, "b": 3})).await.unwrap();
    assert!(sum.to_text().contains('5'), "{sum:?}");
    let weather = client.call("get-structured-content", json!({"location": "New York"})).await.unwrap();
    assert!(weather.structured_as::<serde_json::Value>().unwrap()["temperature"].is_number(), "{weather:?}");

    let mut call = client.call("trigger-long-running-operation", json!({"duration": 0.3, "steps": 3})).start();
    let mut steps = 0;
    while let Some(progress) = call.progress().await {
        assert_eq!(progress.total, Some(3.0));
        steps += 1;
    }
    assert!(steps > 0 && !call.await.unwrap().is_error);

    let sampled = client.call("trigger-sampling-request", json!({"prompt": "How much?", "maxTokens": 10})).await.unwrap();
    assert!(sampled.to_text().contains("forty-two"), "{sampled:?}");
    let elicited = client.call("trigger-elicitation-request", ()).await.unwrap();
    assert!(elicited.to_text().contains("Ada"), "{elicited:?}");
    let roots = client.call("get-roots-list", ()).await.unwrap();
    assert!(roots.to_text().contains("file:///work"), "{roots:?}");

    let resources = client.resources().all().await.unwrap();
    assert!(!client.read(&resources[0].uri).await.unwrap().is_empty());
    assert!(!client.resource_templates().all().await.unwrap().is_empty());
    let prompts = client.prompts().all().await.unwrap();
    assert!(prompts.iter().any(|prompt| prompt.name == "simple-prompt"), "{prompts:?}");
    assert!(!client.prompt("simple-prompt", [("", ""); 0]).await.unwrap().messages.is_empty());
    let completable = Completable::Prompt("completable-prompt".to_owned());
    let completion = client.complete(completable, "department", "E", [("", ""); 0]).await.unwrap();
    assert!(completion.values.iter().all(|value| value.starts_with('E')) && !completion.values.is_empty(), "{completion:?}");
    let mut updates = client.subscribe(&resources[0].uri).await.unwrap();
    client.call("toggle-subscriber-updates", ()).await.unwrap();
    assert_eq!(updates.next().await.as_ref(), Some(&resources[0].uri));
    client.ping().await.unwrap();
}
