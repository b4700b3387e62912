//! Tests of how sessions end, including failures to open.

use std::time::Duration;

use mcp_agent::{Ending, Error};
use serde_json::json;

use crate::double::agent;
use crate::{open, result};

#[tokio::test]
async fn pending_requests_fail_when_the_cli_exits() {
    let (agent, mut cli) = agent();
    let mut session = open(agent, &mut cli).await;
    session.send("hello").await.unwrap();
    cli.next().await;
    let handle = session.handle();
    let request = tokio::spawn(async move { handle.context_usage().await });
    assert_eq!(cli.next().await["request"]["subtype"], "get_context_usage");
    cli.die(Ending::new(None, "out of memory"));
    for error in [request.await.unwrap().unwrap_err(), session.next().await.unwrap_err()] {
        assert_eq!(error.ending().expect("an ending").stderr, "out of memory");
    }
    assert!(session.next().await.unwrap().is_none(), "the error is returned once");
    assert!(matches!(session.send("more").await, Err(Error::Ended(_))));
    assert!(matches!(session.interrupt().await, Err(Error::Ended(_))));
}

#[tokio::test]
async fn opening_fails_if_the_cli_exits_before_it_answers() {
    let (agent, mut cli) = agent();
    let (opened, ()) = tokio::join!(agent.open(), async {
        cli.next().await;
        cli.say(result(json!({"subtype": "error_during_execution", "is_error": true, "errors": ["no such session"]})));
        cli.die(Ending::new(None, "bad flag"));
    });
    let error = opened.map(drop).unwrap_err();
    assert_eq!(error.ending().expect("an ending").stderr, "bad flag");
    assert!(error.to_string().contains("no such session"), "{error}");
}

#[tokio::test(start_paused = true)]
async fn opening_times_out_if_the_cli_never_answers() {
    let (agent, mut cli) = agent();
    let limit = Duration::from_secs(5);
    let (opened, ()) = tokio::join!(agent.initialize_timeout(limit).open(), async {
        cli.next().await;
        cli.closed().await;
        cli.die(Ending::default());
    });
    assert!(matches!(opened, Err(Error::InitializeTimeout { after, .. }) if after == limit));
}

#[tokio::test]
async fn dropping_the_last_half_shuts_the_cli_down() {
    let (agent, mut cli) = agent();
    let session = open(agent, &mut cli).await;
    let (handle, messages) = session.split();
    drop(handle);
    cli.ask("still", json!({"subtype": "unknown"}));
    assert_eq!(cli.next().await["response"]["request_id"], "still", "one half keeps the session");
    drop(messages);
    cli.closed().await;
    (&mut cli.ended_with).await.expect("the end was ordered");
    cli.die(Ending::default());
}

#[tokio::test]
async fn dropping_the_future_of_open_shuts_the_cli_down() {
    let (agent, mut cli) = agent();
    let opening = tokio::spawn(agent.open());
    cli.next().await;
    opening.abort();
    cli.closed().await;
    (&mut cli.ended_with).await.expect("the end was ordered");
}
