//! The reply of a session to a message.

use std::fmt;
use std::future::Future;
use std::mem;
use std::pin::Pin;
use std::task::{Context, Poll};

use crate::call::running::Running;
use crate::jsonrpc::{Body, Response, ResponseId};
use crate::prompt::PromptOutcome;
use crate::resource::ReadOutcome;
use crate::session::incoming::Suggestions;
use crate::task::TaskAnswer;
use crate::tool::result::ToolResult;

/// The reply of a session to a message.
#[derive(Debug)]
#[must_use = "the client may be waiting for this reply"]
pub enum Reply {
    /// The message needs no response.
    None,
    /// The response is ready.
    Now(Response),
    /// The future returns the response, or `None` if the request is cancelled first.
    ///
    /// Poll it once on the current task, because most calls are ready then. Spawn a task only if it is still pending.
    Later(Later),
}

/// A future that returns the response to a request, or `None` if the request is cancelled.
pub struct Later(Pending);

enum Pending {
    Call(Running<ToolResult>),
    Prompt(Running<PromptOutcome>),
    Read(Running<ReadOutcome>),
    Completion(Running<Suggestions>),
    Task(Running<TaskAnswer>),
    Batch(Vec<Part>),
}

enum Part {
    Done(Option<Response>),
    Pending(Later),
}

impl Later {
    pub(crate) fn call(running: Running<ToolResult>) -> Later {
        Later(Pending::Call(running))
    }

    pub(crate) fn prompt(running: Running<PromptOutcome>) -> Later {
        Later(Pending::Prompt(running))
    }

    pub(crate) fn read(running: Running<ReadOutcome>) -> Later {
        Later(Pending::Read(running))
    }

    pub(crate) fn completion(running: Running<Suggestions>) -> Later {
        Later(Pending::Completion(running))
    }

    pub(crate) fn task(running: Running<TaskAnswer>) -> Later {
        Later(Pending::Task(running))
    }
}

impl Future for Later {
    type Output = Option<Response>;

    fn poll(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<Option<Response>> {
        match &mut self.0 {
            Pending::Call(running) => Pin::new(running).poll(task),
            Pending::Prompt(running) => Pin::new(running).poll(task),
            Pending::Read(running) => Pin::new(running).poll(task),
            Pending::Completion(running) => Pin::new(running).poll(task),
            Pending::Task(running) => Pin::new(running).poll(task),
            Pending::Batch(parts) => {
                let mut all_done = true;
                for part in parts.iter_mut() {
                    if let Part::Pending(later) = part {
                        match Pin::new(later).poll(task) {
                            Poll::Ready(response) => *part = Part::Done(response),
                            Poll::Pending => all_done = false,
                        }
                    }
                }
                if all_done { Poll::Ready(batch(mem::take(parts))) } else { Poll::Pending }
            }
        }
    }
}

impl Reply {
    /// Joins the replies to the messages of a batch into one reply.
    pub(crate) fn join(replies: Vec<Reply>) -> Reply {
        let parts: Vec<Part> = replies
            .into_iter()
            .map(|reply| match reply {
                Reply::None => Part::Done(None),
                Reply::Now(response) => Part::Done(Some(response)),
                Reply::Later(later) => Part::Pending(later),
            })
            .collect();
        if parts.iter().any(|part| matches!(part, Part::Pending(_))) {
            return Reply::Later(Later(Pending::Batch(parts)));
        }
        batch(parts).map_or(Reply::None, Reply::Now)
    }
}

/// Joins responses into one. Returns `None` if no message of the batch needs a response.
fn batch(parts: Vec<Part>) -> Option<Response> {
    let responses: Vec<Response> = parts
        .into_iter()
        .filter_map(|part| match part {
            Part::Done(response) => response,
            Part::Pending(_) => None,
        })
        .collect();
    (!responses.is_empty()).then_some(Response { to: ResponseId::Absent, body: Body::Batch(responses) })
}

impl fmt::Debug for Later {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Pending::Call(running) => running.fmt(f),
            Pending::Prompt(running) => running.fmt(f),
            Pending::Read(running) => running.fmt(f),
            Pending::Completion(running) => running.fmt(f),
            Pending::Task(running) => running.fmt(f),
            Pending::Batch(parts) => write!(f, "Batch of {}", parts.len()),
        }
    }
}
