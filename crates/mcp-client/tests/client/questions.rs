//! What a server asks its client: elicitation, sampling and roots, with a handshake and without.

use mcp_client::{
    Boxed, CallError, Capabilities, ElicitationMode, Handler, Revision, Root, RpcError, Sample, SampleRequest,
};
use mcp_core::Elicited;
use serde_json::{Map, json};

use crate::test_server::{Way, ways_since};
use crate::wire::unconnected;

#[tokio::test]
async fn forms_are_answered_in_every_revision_that_has_them() {
    for (way, revision) in ways_since(Revision::V2025_06_18) {
        let (builder, _served) = way.serve().await;
        let client = builder.revision(revision).on_elicit(async |elicitation| {
            assert_eq!(elicitation.message, "Who are you?");
            let ElicitationMode::Form { schema } = elicitation.mode else { panic!("no form") };
            assert_eq!(schema["properties"]["name"]["type"], "string");
            Ok(Elicited::Accepted(Map::from_iter([("name".to_owned(), json!("Ada"))])))
        });
        let client = client.await.unwrap();
        let greeting: String =
            client.call_as("greet", ()).await.unwrap_or_else(|error| panic!("{way:?} {revision}: {error}"));
        assert_eq!(greeting, "Hello, Ada None", "{way:?} {revision}");
    }
}

#[tokio::test]
async fn declining_is_an_answer() {
    for (way, revision) in ways_since(Revision::V2025_06_18) {
        let (builder, _served) = way.serve().await;
        let client = builder.revision(revision).on_elicit(async |_| Ok(Elicited::Declined)).await.unwrap();
        assert_eq!(client.call_as::<String>("greet", ()).await.unwrap(), "nobody", "{way:?} {revision}");
    }
}

#[tokio::test]
async fn pages_are_shown_with_their_address() {
    for (way, revision) in ways_since(Revision::V2025_11_25) {
        let (builder, _served) = way.serve().await;
        let client = builder.revision(revision).on_elicit(async |elicitation| {
            let ElicitationMode::Url { url, .. } = elicitation.mode else { panic!("no page") };
            assert_eq!(url, "https://example.com/pay");
            Ok(Elicited::Accepted(Map::new()))
        });
        let answer: String = client.await.unwrap().call_as("visit", ()).await.unwrap();
        assert_eq!(answer, "Accepted(())", "{way:?} {revision}");
    }
}

#[tokio::test]
async fn models_and_folders_are_asked_for_in_every_revision() {
    for (way, revision) in ways_since(Revision::V2024_11_05) {
        let (builder, _served) = way.serve().await;
        let client = builder
            .revision(revision)
            .on_sample(async |request| {
                assert_eq!((request.max_tokens, request.messages.len()), (20, 1));
                Ok(Sample::new("test-model", "green"))
            })
            .roots([Root::new("file:///work").name("work")]);
        let client = client.await.unwrap();
        assert_eq!(client.call_as::<String>("ask", ()).await.unwrap(), "green", "{way:?} {revision}");
        assert_eq!(client.call_as::<String>("folders", ()).await.unwrap(), "file:///work", "{way:?} {revision}");
        client.roots_changed().await.unwrap();
    }
}

#[tokio::test]
async fn a_client_without_handlers_is_asked_nothing() {
    for (way, revision) in ways_since(Revision::V2025_06_18) {
        let (client, _served) = way.connect(revision).await;
        for tool in ["greet", "ask", "folders"] {
            match client.call(tool, ()).await {
                Ok(result) => assert!(result.is_error, "{way:?} {revision} {tool}: {result:?}"),
                Err(error) => assert!(matches!(error, CallError::Rpc(_)), "{way:?} {revision} {tool}: {error:?}"),
            }
        }
    }
}

#[tokio::test]
async fn an_error_of_the_handler_reaches_the_tool_or_the_caller() {
    for (way, revision) in [(Way::Streams, Revision::V2025_11_25), (Way::Streams, Revision::NEWEST)] {
        let (builder, _served) = way.serve().await;
        let client = builder.revision(revision).on_elicit(async |_| Err(RpcError::invalid_request("no screen")));
        match client.await.unwrap().call("greet", ()).await {
            Ok(result) => assert!(result.is_error && result.to_text().contains("no screen"), "{result:?}"),
            Err(error) => assert!(error.to_string().contains("no screen"), "{error}"),
        }
    }
}

/// A handler of its own type, that shows forms and has a model with tools.
struct Desk;

impl Handler for Desk {
    fn capabilities(&self) -> Capabilities {
        let mut can = Capabilities::none();
        (can.elicit_form, can.sample, can.sample_tools) = (true, true, true);
        can
    }

    fn sample(&self, _: SampleRequest) -> Boxed<'_, Result<Sample, RpcError>> {
        Box::pin(async { Ok(Sample::new("desk", "blue").stop_reason("maxTokens")) })
    }
}

#[tokio::test]
async fn a_handler_declares_what_it_can_do_in_the_words_of_the_revision() {
    for (revision, expected) in [
        (Revision::V2025_03_26, json!({"sampling": {}})),
        (Revision::V2025_06_18, json!({"sampling": {}, "elicitation": {}})),
        (Revision::V2025_11_25, json!({"sampling": {"tools": {}}, "elicitation": {"form": {}}})),
    ] {
        let (builder, mut wire) = unconnected();
        let connecting = tokio::spawn(builder.revision(revision).handler(Desk).into_future());
        let (id, message) = wire.request().await;
        assert_eq!(message["params"]["capabilities"], expected, "{revision}");
        wire.answer(id, json!({"protocolVersion": revision.as_str(), "capabilities": {}})).await;
        connecting.await.unwrap().unwrap();
    }
    let (builder, _served) = Way::Streams.serve().await;
    let client = builder.handler(Desk).await.unwrap();
    assert_eq!(client.call_as::<String>("ask", ()).await.unwrap(), "blue");
    // The default of the trait declines.
    assert_eq!(client.call_as::<String>("greet", ()).await.unwrap(), "nobody");
}
