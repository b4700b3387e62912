//! Prompts from a stream, and the handle of a one-shot query, with the real CLI.

use futures_lite::stream;
use mcp_agent::{Error, Message, TurnFailure};
use mcp_agent_test::{Turn, prompt};
use tokio::sync::mpsc;

use crate::test_setup::{read_run, setup_or_skip, within};

/// Returns the text of a result.
fn text(message: &Message) -> Option<&str> {
    match message {
        Message::Result(result) => result.result.as_deref(),
        _ => None,
    }
}

#[tokio::test]
async fn a_query_sends_every_prompt_of_its_stream_and_ends_after_the_last_one() {
    let setup = setup_or_skip!();
    let (prompts, queue) = mpsc::channel::<String>(1);
    let stream = stream::unfold(queue, |mut queue| async { queue.recv().await.map(|prompt| (prompt, queue)) });
    let mut query = setup.agent().query_stream(stream);
    // The second prompt follows after the first run is over.
    let mut later = vec![prompt("go", [Turn::text("second")])];
    let mut prompts = Some(prompts);
    prompts.as_ref().unwrap().send(prompt("go", [Turn::text("first")])).await.unwrap();
    let mut results = Vec::new();
    while let Some(message) = within(query.next()).await.unwrap() {
        if let Some(result) = text(&message) {
            results.push(result.to_owned());
            match later.pop() {
                Some(prompt) => prompts.as_ref().unwrap().send(prompt).await.unwrap(),
                None => prompts = None,
            }
        }
    }
    assert_eq!(results, ["first", "second"]);
    assert!(matches!(within(query.handle()).await, Err(Error::Ended(_))));
}

#[tokio::test]
async fn a_handle_sends_every_prompt_of_a_stream() {
    let setup = setup_or_skip!();
    let mut session = within(setup.agent().open()).await.unwrap();
    let prompts = ["one", "two"].map(|text| prompt(text, [Turn::text(text)]));
    within(session.handle().send_all(stream::iter(prompts))).await.unwrap();
    // The CLI may merge queued prompts into one turn.
    assert_eq!(read_run(&mut session).await.1.result.as_deref(), Some("two"));
    let last = setup.model.requests().pop().unwrap();
    assert!(last.mentions("one") && last.mentions("two"));
    within(session.close()).await.unwrap();
}

#[tokio::test]
async fn the_handle_of_a_query_can_interrupt_its_turn() {
    let setup = setup_or_skip!();
    let pause = setup.model.pause_point("the answer");
    let mut query = setup.agent().query(prompt("go", [Turn::text("never said").pause_midway(&pause)]));
    let handle = within(query.handle()).await.unwrap();
    within(pause.reached()).await;
    within(handle.interrupt()).await.unwrap();
    let mut failures = Vec::new();
    loop {
        match within(query.next()).await {
            Ok(Some(_)) => {}
            Ok(None) => break,
            Err(Error::Turn(error)) => failures.push(error.failure),
            Err(error) => panic!("{error}"),
        }
    }
    assert_eq!(failures, [TurnFailure::Interrupted]);
}
