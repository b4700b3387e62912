//! Sessions that the real CLI wrote: they are listed, changed, and resumed by the CLI.

use std::time::Duration;

use mcp_agent::{Agent, Session};
use mcp_agent_history::{Fork, History, HistoryError, Record};
use mcp_agent_test::{Turn, prompt};

use crate::built_examples::TEST_TIMEOUT;
use crate::setup::Setup;

async fn within<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(TEST_TIMEOUT, future).await.expect("a result in time")
}

/// Sends a prompt and returns the id of the session.
async fn say(session: &mut Session, text: &str) -> String {
    within(session.send(prompt(text, [Turn::text(format!("about {text}"))]))).await.unwrap();
    let result = within(session.finish()).await.unwrap().expect("a result");
    result.field::<String>("session_id").unwrap()
}

async fn once(agent: Agent, text: &str) -> String {
    let mut session = within(agent.open()).await.unwrap();
    let id = say(&mut session, text).await;
    within(session.close()).await.unwrap();
    id
}

#[tokio::test]
async fn sessions_of_the_cli_can_be_listed_read_changed_and_resumed() {
    let Some(setup) = Setup::or_skip() else { return };
    let agent = || setup.sandbox.confine(Agent::new(), &setup.cli, &setup.model);
    let history = History::of_home(setup.sandbox.home());
    let mut session = within(agent().open()).await.unwrap();
    let id = say(&mut session, "apples").await;

    // A running session can be read but not changed.
    assert_eq!(history.running(&id).unwrap(), session.pid());
    assert!(matches!(history.rename(&id, "x"), Err(HistoryError::Running { pid, .. }) if Some(pid) == session.pid()));
    assert!(matches!(history.delete(&id), Err(HistoryError::Running { .. })));
    within(session.close()).await.unwrap();
    assert_eq!(history.running(&id).unwrap(), None);

    let listed = history.sessions_of(setup.sandbox.work().canonicalize().unwrap()).unwrap();
    assert_eq!(listed.iter().map(|session| session.id.as_str()).collect::<Vec<_>>(), [id.as_str()]);
    assert!(listed[0].first_prompt.as_deref().is_some_and(|prompt| prompt.starts_with("apples")), "{listed:?}");
    assert!(listed[0].modified.elapsed().unwrap_or_default() < Duration::from_secs(3600));
    let records: Vec<Record> = history.read(&id).unwrap().map(Result::unwrap).collect();
    let answered = records
        .iter()
        .any(|record| matches!(record, Record::Message(entry) if entry.message.text() == Some("about apples")));
    assert!(answered, "{records:?}");

    history.rename(&id, "fruit").unwrap();
    history.tag(&id, Some("red")).unwrap();
    let fork = history.fork(&id, &Fork::new()).unwrap();
    assert_eq!(once(agent().resume(&id), "pears").await, id, "the CLI resumes a renamed session");
    let session = history.session(&id).unwrap();
    assert_eq!((session.title.as_deref(), session.tag.as_deref()), (Some("fruit"), Some("red")));

    assert_eq!(once(agent().resume(&fork), "plums").await, fork, "the CLI resumes a copy");
    let last = setup.model.requests().pop().unwrap();
    assert!(last.mentions("about apples") && !last.mentions("about pears"));

    history.delete(&fork).unwrap();
    assert!(within(agent().resume(&fork).open()).await.is_err(), "the CLI cannot resume a deleted session");
    assert_eq!(history.sessions().unwrap().len(), 1);
}
