//! One prompt, and the stream of messages that answers it.

use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use futures_core::Stream;
use serde::de::DeserializeOwned;

use crate::agent::Agent;
use crate::error::{Error, TurnError, TurnFailure};
use crate::message::{Message, TurnResult};
use crate::prompt::Prompt;
use crate::session::Session;
use crate::structured;
use crate::transport::{Ending, Pending};
use crate::wire::Typed;

/// Sends one prompt to an agent with default options.
///
/// ```no_run
/// # async fn f() -> Result<(), mcp_agent::Error> {
/// let mut answer = mcp_agent::query("What is 2 + 3?");
/// while let Some(message) = answer.next().await? {
///     if let Some(text) = message.text() {
///         println!("{text}");
///     }
/// }
/// # Ok(())
/// # }
/// ```
pub fn query(prompt: impl Into<Prompt>) -> Query {
    Agent::new().query(prompt)
}

/// Sends one prompt to an agent with default options and returns the answer as a `T`.
///
/// # Errors
/// As [`Agent::query_as`].
pub async fn query_as<T>(prompt: impl Into<Prompt>) -> Result<T, Error>
where
    T: schemars::JsonSchema + DeserializeOwned,
{
    Agent::new().query_as(prompt).await
}

/// The messages that answer one prompt, up to the end of the run.
///
/// The CLI is started on the first poll. Its input stays open until the run is over, so that tools, hooks and the
/// permission callback can be called. Then the CLI is shut down, and the stream ends when it has exited. A failed turn
/// does not end the stream; any other error does. Dropping the query shuts the CLI down.
pub struct Query(State);

enum State {
    Opening(Pending<'static, Result<Session, Error>>),
    Running(Box<Session>),
    Closing(Pending<'static, Result<Ending, Error>>),
    Ended,
}

impl Query {
    pub(crate) fn new(agent: Agent, prompt: Prompt) -> Self {
        Self(State::Opening(Box::pin(async move {
            let session = agent.open().await?;
            session.send(prompt).await?;
            Ok(session)
        })))
    }

    /// Returns the next message, or `None` at the end.
    ///
    /// # Errors
    /// As [`Agent::open`] and [`Session::next`].
    pub async fn next(&mut self) -> Result<Option<Message>, Error> {
        poll_fn(|context| self.poll(context)).await.transpose()
    }

    /// Reads to the end and returns the result.
    ///
    /// # Errors
    /// The first error; [`Error::Ended`] if there was no result.
    pub async fn result(mut self) -> Result<Typed<TurnResult>, Error> {
        let mut last = None;
        while let Some(message) = self.next().await? {
            if let Message::Result(result) = message {
                last = Some(result);
            }
        }
        last.ok_or_else(|| Error::Ended(Arc::new(crate::error::Ended::without_result())))
    }

    /// Reads to the end and returns the structured output that was requested with [`output_of`](Agent::output_of).
    ///
    /// # Errors
    /// As [`result`](Self::result); also if there is no structured output or if it does not deserialize into a `T`.
    pub async fn output<T: schemars::JsonSchema + DeserializeOwned>(self) -> Result<T, Error> {
        let result = self.result().await?;
        match result.field::<Box<serde_json::value::RawValue>>("structured_output") {
            None => Err(Error::Turn(TurnError { failure: TurnFailure::NoStructuredOutput, result })),
            Some(output) => structured::value_of(&output)
                .map_err(|source| Error::Unexpected { request: "structured output".to_owned(), source: Arc::new(source) }),
        }
    }

    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Message, Error>>> {
        loop {
            let next = match &mut self.0 {
                State::Opening(opening) => match ready!(opening.as_mut().poll(context)) {
                    Ok(session) => State::Running(Box::new(session)),
                    Err(error) => {
                        self.0 = State::Ended;
                        return Poll::Ready(Some(Err(error)));
                    }
                },
                State::Running(session) => match ready!(Pin::new(session.as_mut()).poll_next(context)) {
                    Some(item) => return Poll::Ready(Some(item)),
                    None => match std::mem::replace(&mut self.0, State::Ended) {
                        State::Running(session) => State::Closing(Box::pin(session.close())),
                        other => other,
                    },
                },
                State::Closing(closing) => {
                    let closed = ready!(closing.as_mut().poll(context));
                    self.0 = State::Ended;
                    return Poll::Ready(closed.err().map(Err));
                }
                State::Ended => return Poll::Ready(None),
            };
            self.0 = next;
        }
    }
}

impl Stream for Query {
    type Item = Result<Message, Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.poll(context)
    }
}

impl fmt::Debug for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            State::Opening(_) => "Query(opening)",
            State::Running(_) => "Query(running)",
            State::Closing(_) => "Query(closing)",
            State::Ended => "Query(ended)",
        })
    }
}
