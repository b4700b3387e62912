//! Connecting, and each feature of a server.

use std::sync::atomic::Ordering;

use mcp_client::{Client, Completable, Revision, State};
use mcp_core::LogLevel;
use serde_json::json;

use crate::test_server::{Point, Way, add, server, shift, ways, ways_since};

#[tokio::test]
async fn every_way_speaks_every_revision() {
    for (way, revision) in ways() {
        let (client, _served) = way.connect(revision).await;
        let server = client.server().await.unwrap();
        assert_eq!(server.revision, revision, "{way:?}");
        assert_eq!(server.implementation.unwrap().name, "world", "{way:?} {revision}");
        let sum: i64 = client.call_as("add", json!({"a": 2, "b": 3})).await.unwrap();
        assert_eq!(sum, 5, "{way:?} {revision}");
        client.ping().await.unwrap_or_else(|error| panic!("{way:?} {revision}: {error}"));
        assert_eq!(client.state(), State::Connected);
        client.close().await;
    }
}

#[tokio::test]
async fn a_function_calls_its_tool_in_every_way_and_revision() {
    for (way, revision) in ways() {
        let (client, _served) = way.connect(revision).await;
        assert_eq!(add::on(&client).call(2, 3).await.unwrap(), 5, "{way:?} {revision}");
        let Point { x, y } = shift::on(&client).call(1, 2).await.unwrap();
        assert_eq!((x, y), (2, 3), "{way:?} {revision}");
        client.close().await;
    }
}

#[tokio::test]
async fn the_newest_revision_of_the_server_is_found_out() {
    for way in [Way::InProcess, Way::Streams, Way::Http] {
        let (builder, _served) = way.serve().await;
        assert_eq!(builder.await.unwrap().server().await.unwrap().revision, Revision::NEWEST, "{way:?}");
    }
    let (builder, _served) = Way::Sse.serve().await;
    assert!(!builder.await.unwrap().server().await.unwrap().revision.is_stateless());
}

#[tokio::test]
async fn lists_are_read_over_all_pages() {
    for (way, revision) in ways() {
        let (client, _served) = way.connect(revision).await;
        let tools = client.tools().all().await.unwrap();
        let names: Vec<_> = tools.iter().map(|tool| tool.name.as_str()).collect();
        assert_eq!(names.len(), 14, "{way:?} {revision}: {names:?}");
        assert_eq!((names[0], names[13]), ("add", "long"));
        assert_eq!(tools[0].description.as_deref(), Some("Add two numbers."));
        assert_eq!(tools[0].input_schema["required"], json!(["a", "b"]));
        let mut pages = client.tools();
        assert_eq!(pages.next().await.unwrap().unwrap().name, "add");
    }
}

#[tokio::test]
async fn resources_prompts_and_completions_are_served() {
    for (way, revision) in ways() {
        let (client, _served) = way.connect(revision).await;
        assert_eq!(client.resources().all().await.unwrap()[0].uri, "board://");
        assert_eq!(client.resource_templates().all().await.unwrap()[0].uri_template, "note://{name}");
        let contents = client.read("note://ada").await.unwrap();
        assert_eq!(contents[0].text.as_deref(), Some("about ada"), "{way:?} {revision}");
        let prompts = client.prompts().all().await.unwrap();
        assert!(prompts[0].name == "review" && prompts[0].arguments[0].required);
        let prompt = client.prompt("review", [("code", "x = 1")]).await.unwrap();
        assert_eq!(prompt.messages[0].content.as_text(), Some("Review: x = 1"));
        let template = Completable::Template("note://{name}".to_owned());
        let completion = client.complete(template, "name", "a", [("other", "x")]).await.unwrap();
        assert_eq!(completion.values, ["ada", "alan"], "{way:?} {revision}");
    }
}

#[tokio::test]
async fn structured_output_is_read_as_a_type_and_wrapped_output_too() {
    for (way, revision) in ways_since(Revision::V2025_06_18) {
        let (client, _served) = way.connect(revision).await;
        client.tools().all().await.unwrap();
        let point: Point = client.call_as("shift", json!({"x": 1, "y": 2})).await.unwrap();
        assert_eq!((point.x, point.y), (2, 3), "{way:?} {revision}");
        let result = client.call("shift", json!({"x": 1, "y": 2})).await.unwrap();
        assert_eq!(result.structured_as::<Point>().unwrap().x, 2);
    }
}

#[tokio::test]
async fn log_messages_come_from_the_level_that_was_asked_for() {
    for (way, revision) in ways() {
        let (builder, _served) = way.serve().await;
        let client = builder.revision(revision).log_level(LogLevel::Warning).await.unwrap();
        let mut logs = client.logs();
        client.call("log", ()).await.unwrap();
        let message = logs.next().await.unwrap();
        assert_eq!((message.level, message.data), (LogLevel::Warning, json!("a warning")), "{way:?} {revision}");

        client.set_log_level(LogLevel::Debug).await.unwrap();
        client.call("log", ()).await.unwrap();
        assert_eq!(logs.next().await.unwrap().data, json!("a detail"), "{way:?} {revision}");
    }
}

#[tokio::test]
async fn a_fresh_list_is_used_again_until_the_server_says_that_it_has_changed() {
    let (client, served) = Way::Http.connect(Revision::NEWEST).await;
    let before = client.tools().all().await.unwrap().len();
    // This client does not listen, so it is not notified and uses the cached list.
    client.call("load", ()).await.unwrap();
    assert_eq!(client.tools().all().await.unwrap().len(), before);
    drop(client);

    let (builder, served) = (Client::of(server().0).without_cache(), served);
    let client = builder.await.unwrap();
    client.call("load", ()).await.unwrap();
    assert_eq!(client.tools().all().await.unwrap().len(), before + 1);
    drop(served);
}

#[tokio::test]
async fn results_that_may_not_be_cached_are_asked_for_again() {
    let (client, served) = Way::InProcess.connect(Revision::NEWEST).await;
    client.read("board://").await.unwrap();
    client.read("board://").await.unwrap();
    assert_eq!(served.probe.0.reads.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn a_closed_client_answers_nothing_and_ends_its_streams() {
    let (client, _served) = Way::Streams.connect(Revision::NEWEST).await;
    let (other, mut states) = (client.clone(), client.states());
    client.close().await;
    assert_eq!(other.state(), State::Closed);
    assert_eq!(states.next().await, Some(State::Closed));
    let error = other.call("add", json!({"a": 1, "b": 1})).await.unwrap_err();
    assert!(matches!(error, mcp_client::CallError::Closed), "{error:?}");
    drop(other);
    assert_eq!(states.next().await, None);
}
