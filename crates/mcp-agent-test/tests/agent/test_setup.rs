//! The set-up of tests with the real CLI: the CLI, a mock model and a sandbox.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use mcp_agent::message::TurnResult;
use mcp_agent::{Agent, Error, Message, Session, TurnFailure, Typed};
use mcp_agent_test::{Cli, Model, Sandbox, Turn, prompt};
use test_env::{Missing, needs};

/// Everything that a test with the real CLI needs.
pub(crate) struct TestSetup {
    pub(crate) cli: Cli,
    pub(crate) model: Model,
    pub(crate) sandbox: Rc<Sandbox>,
}

impl TestSetup {
    /// Returns `None` if the CLI is unavailable. The test must then return.
    pub(crate) fn or_skip() -> Option<Self> {
        let cli = cli_or_skip()?;
        Some(Self { cli, model: Model::start().unwrap(), sandbox: sandbox() })
    }

    pub(crate) fn agent(&self) -> Agent {
        self.sandbox.confine(Agent::new(), &self.cli, &self.model)
    }
}

/// The real CLI. If it is missing, the check is reported as skipped.
pub(crate) fn cli_or_skip() -> Option<Cli> {
    needs(Cli::pinned().map_err(|error| Missing::new("Claude Code CLI", error)))
}

thread_local! {
    static KEPT: RefCell<Vec<Rc<Sandbox>>> = const { RefCell::new(Vec::new()) };
}

/// Creates a sandbox that exists until this thread ends or runs another test.
///
/// If a test drops a session without closing it, the CLI is killed when the runtime of the test shuts down, after the local
/// variables of the test are dropped. The sandbox must exist until then, because a CLI that still runs would create its
/// home folder again.
pub(crate) fn sandbox() -> Rc<Sandbox> {
    let sandbox = Rc::new(Sandbox::new().unwrap());
    KEPT.with_borrow_mut(|kept| {
        kept.retain(|kept| Rc::strong_count(kept) > 1);
        kept.push(Rc::clone(&sandbox));
    });
    sandbox
}

/// Creates a set-up, or returns from the test.
macro_rules! setup_or_skip {
    () => {
        match crate::test_setup::TestSetup::or_skip() {
            Some(setup) => setup,
            None => return,
        }
    };
}
pub(crate) use setup_or_skip;

/// Fails the test if a future is not ready after a minute.
pub(crate) async fn within<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(60), future).await.expect("no result within a minute")
}

/// Sends a prompt that contains its turns.
pub(crate) async fn send(session: &Session, turns: impl IntoIterator<Item = Turn>) {
    within(session.send(prompt("go", turns))).await.unwrap();
}

/// Reads to the end of the run and returns all messages and the result.
pub(crate) async fn read_run(session: &mut Session) -> (Vec<Message>, Typed<TurnResult>) {
    let mut messages = Vec::new();
    while let Some(message) = within(session.next()).await.unwrap() {
        messages.push(message);
    }
    let last = messages.iter().rev().find_map(|message| match message {
        Message::Result(result) => Some(result.clone()),
        _ => None,
    });
    let result = last.expect("a run ends with a result");
    (messages, result)
}

/// Sends a prompt and returns the text of its result.
pub(crate) async fn ask(session: &mut Session, turns: impl IntoIterator<Item = Turn>) -> String {
    send(session, turns).await;
    read_run(session).await.1.result.clone().unwrap_or_default()
}

/// Reads until a turn fails and returns the error.
pub(crate) async fn failure(session: &mut Session) -> mcp_agent::TurnError {
    loop {
        match within(session.next()).await {
            Ok(Some(_)) => {}
            Ok(None) => panic!("the run ended without an error"),
            Err(Error::Turn(error)) => return error,
            Err(error) => panic!("{error}"),
        }
    }
}

/// Reads messages until a turn fails and the run has ended. Returns the failure.
pub(crate) async fn failed(session: &mut Session) -> TurnFailure {
    let error = failure(session).await;
    while within(session.next()).await.unwrap().is_some() {}
    error.failure
}
