//! Credentials: when they are sent, and what happens when a server refuses them.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use mcp_client::{
    AuthRequest, Authorize, AuthorizeError, Boxed, CallError, Challenge, Client, ConnectError, Credentials, Next, Recovery,
    Revision,
};
use serde_json::json;

use crate::web::{Visit, serve};

/// Supplies a token of a level. Each challenge raises the level.
#[derive(Clone, Default)]
struct Levels(Arc<State>);

#[derive(Default)]
struct State {
    level: AtomicUsize,
    challenges: Mutex<Vec<(u16, bool, String)>>,
    refuses: bool,
}

impl Authorize for Levels {
    fn credentials<'a>(&'a self, _: &'a AuthRequest) -> Boxed<'a, Result<Option<Credentials>, AuthorizeError>> {
        Box::pin(async {
            match self.0.level.load(Ordering::SeqCst) {
                0 => Ok(None),
                level => Credentials::bearer(&format!("level-{level}")).map(Some),
            }
        })
    }

    fn challenged<'a>(&'a self, challenge: &'a Challenge) -> Boxed<'a, Result<Next, AuthorizeError>> {
        Box::pin(async {
            let header = challenge.headers.get("www-authenticate").and_then(|value| value.to_str().ok()).unwrap_or_default();
            self.0.challenges.lock().unwrap().push((challenge.status, challenge.credentials.is_some(), header.to_owned()));
            if self.0.refuses {
                return Err(AuthorizeError::new("the user closed the browser"));
            }
            self.0.level.fetch_add(1, Ordering::SeqCst);
            Ok(Next::Retry)
        })
    }
}

/// Answers only with the token of level 1, and tool calls only with that of level 2.
async fn protected(mut visit: Visit) {
    let level = match () {
        () if visit.head.contains("authorization: Bearer level-2") => 2,
        () if visit.head.contains("authorization: Bearer level-1") => 1,
        () => 0,
    };
    if level == 0 {
        visit.respond("401 Unauthorized", "www-authenticate: Bearer scope=\"read\"\r\n", "").await;
    } else if visit.is("server/discover") {
        let found = json!({"supportedVersions": ["2026-07-28"], "capabilities": {}, "resultType": "complete"});
        visit.json("", found).await;
    } else if level == 1 {
        visit.respond("403 Forbidden", "www-authenticate: Bearer error=\"insufficient_scope\"\r\n", "").await;
    } else {
        visit.json("", json!({"content": [{"type": "text", "text": "secret"}], "resultType": "complete"})).await;
    }
}

#[tokio::test]
async fn a_challenge_is_answered_and_the_request_is_sent_again() {
    let (address, levels) = (serve(protected).await, Levels::default());
    let client =
        Client::http(format!("http://{address}/mcp")).revision(Revision::NEWEST).authorize(levels.clone()).await.unwrap();
    assert_eq!(client.call("read", ()).await.unwrap().to_text(), "secret");
    let expected =
        [(401, false, "Bearer scope=\"read\"".to_owned()), (403, true, "Bearer error=\"insufficient_scope\"".to_owned())];
    assert_eq!(*levels.0.challenges.lock().unwrap(), expected);
}

#[tokio::test]
async fn a_server_that_is_never_content_is_asked_twice_at_most() {
    let visits = Arc::new(AtomicUsize::new(0));
    let counter = visits.clone();
    let address = serve(move |mut visit: Visit| {
        counter.fetch_add(1, Ordering::SeqCst);
        async move { visit.respond("401 Unauthorized", "", "no").await }
    })
    .await;
    let levels = Levels::default();
    let options = Client::http(format!("http://{address}/mcp")).revision(Revision::NEWEST).recovery(Recovery::off());
    let error = options.authorize(levels.clone()).await.unwrap_err();
    assert!(matches!(&error, ConnectError::Status { status: 401, body } if body == "no"), "{error}");
    assert_eq!((visits.load(Ordering::SeqCst), levels.0.challenges.lock().unwrap().len()), (2, 1));
}

#[tokio::test]
async fn a_failed_authorization_is_an_error_of_its_own() {
    let address = serve(protected).await;
    let levels = Levels(Arc::new(State { refuses: true, ..State::default() }));
    let error = Client::http(format!("http://{address}/mcp")).authorize(levels).await.unwrap_err();
    assert!(matches!(error, ConnectError::Authorize(_)) && error.to_string().contains("closed the browser"), "{error}");
}

#[tokio::test]
async fn a_token_is_sent_to_the_server_and_shown_nowhere() {
    let address = serve(protected).await;
    let builder = Client::http(format!("http://{address}/mcp")).bearer("level-1").revision(Revision::NEWEST);
    assert!(!format!("{builder:?}").contains("level-1"));
    let client = builder.await.unwrap();
    let error = client.call("read", ()).await.unwrap_err();
    assert!(matches!(&error, CallError::Connect(error) if error.to_string().contains("403")), "{error}");
    assert!(!format!("{error:?}{client:?}").contains("level-1"));
    let error = Client::http(format!("http://{address}/mcp")).bearer("no\ntoken").await.unwrap_err();
    assert!(matches!(error, ConnectError::Options(_)), "{error}");
}
