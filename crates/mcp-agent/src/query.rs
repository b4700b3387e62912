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
use crate::handle::Handle;
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
    Opening(Pending<'static, Result<(Session, Feed), Error>>),
    Running(Box<Session>, Feed),
    Closing(Pending<'static, Result<Ending, Error>>),
    Ended,
}

/// Sends the prompts of a stream; `None` after the last one.
type Feed = Option<Pending<'static, Result<(), Error>>>;

impl Query {
    pub(crate) fn new(agent: Agent, prompt: Prompt) -> Self {
        Self(State::Opening(Box::pin(async move {
            let session = agent.open().await?;
            session.send(prompt).await?;
            Ok((session, None))
        })))
    }

    pub(crate) fn of_stream<S>(agent: Agent, prompts: S) -> Self
    where
        S: Stream<Item: Into<Prompt> + Send> + Send + 'static,
    {
        Self(State::Opening(Box::pin(async move {
            let session = agent.open().await?;
            let handle = session.handle();
            let feed: Pending<'static, _> = Box::pin(async move { handle.send_all(prompts).await });
            Ok((session, Some(feed)))
        })))
    }

    /// Returns a handle for requests such as [`interrupt`](Handle::interrupt) and for more prompts. Starts the CLI if this was
    /// not done yet.
    ///
    /// The query still shuts the CLI down at the end of the run; requests then return [`Error::Ended`].
    ///
    /// # Errors
    /// As [`Agent::open`]; the stream then ends. [`Error::Ended`] if the run is over.
    pub async fn handle(&mut self) -> Result<Handle, Error> {
        poll_fn(|context| match &mut self.0 {
            State::Opening(_) => self.poll_open(context),
            _ => Poll::Ready(Ok(())),
        })
        .await?;
        match &self.0 {
            State::Running(session, _) => Ok(session.handle()),
            _ => Err(Error::Ended(Arc::new(crate::error::Ended::without_result()))),
        }
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

    /// Starts the CLI and sends the first prompt.
    fn poll_open(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Error>> {
        let State::Opening(opening) = &mut self.0 else { return Poll::Ready(Ok(())) };
        let opened = ready!(opening.as_mut().poll(context));
        let (state, result) = match opened {
            Ok((session, feed)) => (State::Running(Box::new(session), feed), Ok(())),
            Err(error) => (State::Ended, Err(error)),
        };
        self.0 = state;
        Poll::Ready(result)
    }

    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Message, Error>>> {
        loop {
            match &mut self.0 {
                State::Opening(_) => {
                    if let Err(error) = ready!(self.poll_open(context)) {
                        return Poll::Ready(Some(Err(error)));
                    }
                }
                State::Running(session, feed) => {
                    if let Some(Poll::Ready(fed)) = feed.as_mut().map(|feed| feed.as_mut().poll(context)) {
                        *feed = None;
                        if let Err(error) = fed {
                            return Poll::Ready(Some(Err(error)));
                        }
                    }
                    match ready!(Pin::new(session.as_mut()).poll_next(context)) {
                        Some(item) => return Poll::Ready(Some(item)),
                        // The run is over, but another prompt may follow.
                        None if feed.is_some() && !session.is_over() => return Poll::Pending,
                        None => self.close(),
                    }
                }
                State::Closing(closing) => {
                    let closed = ready!(closing.as_mut().poll(context));
                    self.0 = State::Ended;
                    return Poll::Ready(closed.err().map(Err));
                }
                State::Ended => return Poll::Ready(None),
            }
        }
    }

    fn close(&mut self) {
        self.0 = match std::mem::replace(&mut self.0, State::Ended) {
            State::Running(session, _) => State::Closing(Box::pin(session.close())),
            other => other,
        };
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
            State::Running(..) => "Query(running)",
            State::Closing(_) => "Query(closing)",
            State::Ended => "Query(ended)",
        })
    }
}
