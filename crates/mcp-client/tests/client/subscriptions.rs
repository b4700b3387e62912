//! Changes of lists and resources.

use mcp_client::{CallError, Change, Client, Revision};

use crate::test_server::{Way, ways};

#[tokio::test]
async fn changes_of_a_watched_resource_are_reported() {
    for (way, revision) in ways() {
        let (client, _served) = way.connect(revision).await;
        let mut updates = client.subscribe("board://").await.unwrap_or_else(|error| panic!("{way:?} {revision}: {error}"));
        client.call("write", ()).await.unwrap();
        assert_eq!(updates.next().await.as_deref(), Some("board://"), "{way:?} {revision}");
    }
}

#[tokio::test]
async fn a_changed_list_is_reported_and_dropped_from_the_cache() {
    for (way, revision) in ways() {
        let (client, _served) = way.connect(revision).await;
        let mut changes = client.listen().await.unwrap_or_else(|error| panic!("{way:?} {revision}: {error}"));
        let before = client.tools().all().await.unwrap().len();
        client.call("load", ()).await.unwrap();
        assert_eq!(changes.next().await, Some(Change::Tools), "{way:?} {revision}");
        assert_eq!(client.tools().all().await.unwrap().len(), before + 1, "{way:?} {revision}");
    }
}

#[tokio::test]
async fn a_dropped_subscription_ends() {
    for revision in [Revision::V2025_11_25, Revision::NEWEST] {
        let (client, _served) = Way::Streams.connect(revision).await;
        drop(client.subscribe("board://").await.unwrap());
        let mut updates = client.subscribe("note://ada").await.unwrap();
        let mut other = client.subscribe("board://").await.unwrap();
        client.call("write", ()).await.unwrap();
        assert_eq!(other.next().await.as_deref(), Some("board://"));
        drop(client);
        assert_eq!(updates.next().await, None, "{revision}: only changes of its own resource are reported");
    }
}

#[tokio::test]
async fn a_server_without_subscriptions_refuses_at_once() {
    for revision in [Revision::V2025_11_25, Revision::NEWEST] {
        let client = Client::of(mcp_core::Server::builder("bare", "1.0.0")).revision(revision).await.unwrap();
        let error = client.subscribe("board://").await.unwrap_err();
        assert!(matches!(error, CallError::Unsupported(_) | CallError::Rpc(_)), "{revision}: {error:?}");
    }
}
