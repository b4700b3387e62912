//! What a session answers to a message, now or later.

use std::fmt;
use std::future::Future;
use std::mem;
use std::pin::Pin;
use std::task::{Context, Poll};

use crate::call::running::Running;
use crate::jsonrpc::{Addressee, Body, Response};
use crate::prompt::PromptOutcome;
use crate::resource::ReadOutcome;
use crate::session::incoming::Suggestions;
use crate::task::TaskAnswer;
use crate::tool::output::ToolOutput;

/// What a session answers to a message.
#[derive(Debug)]
#[must_use = "somebody may be waiting for this reply"]
pub enum Reply {
    /// Nothing.
    None,
    /// This, at once.
    Now(Response),
    /// What comes out of this future, or nothing if the request is cancelled meanwhile.
    ///
    /// Poll it once where you are: most calls are done then. Only one that is still pending is worth a task of its own.
    Later(Later),
}

/// A reply in the making.
pub struct Later(Making);

enum Making {
    Call(Running<ToolOutput>),
    Prompt(Running<PromptOutcome>),
    Read(Running<ReadOutcome>),
    Completion(Running<Suggestions>),
    Task(Running<TaskAnswer>),
    Batch(Vec<Part>),
}

enum Part {
    Done(Option<Response>),
    Making(Later),
}

impl Later {
    pub(crate) fn call(running: Running<ToolOutput>) -> Later {
        Later(Making::Call(running))
    }

    pub(crate) fn prompt(running: Running<PromptOutcome>) -> Later {
        Later(Making::Prompt(running))
    }

    pub(crate) fn read(running: Running<ReadOutcome>) -> Later {
        Later(Making::Read(running))
    }

    pub(crate) fn completion(running: Running<Suggestions>) -> Later {
        Later(Making::Completion(running))
    }

    pub(crate) fn task(running: Running<TaskAnswer>) -> Later {
        Later(Making::Task(running))
    }
}

impl Future for Later {
    type Output = Option<Response>;

    fn poll(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<Option<Response>> {
        match &mut self.0 {
            Making::Call(running) => Pin::new(running).poll(task),
            Making::Prompt(running) => Pin::new(running).poll(task),
            Making::Read(running) => Pin::new(running).poll(task),
            Making::Completion(running) => Pin::new(running).poll(task),
            Making::Task(running) => Pin::new(running).poll(task),
            Making::Batch(parts) => {
                let mut all_done = true;
                for part in parts.iter_mut() {
                    if let Part::Making(later) = part {
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
    /// The replies to the messages of a batch, as one.
    pub(crate) fn join(replies: Vec<Reply>) -> Reply {
        let parts: Vec<Part> = replies
            .into_iter()
            .map(|reply| match reply {
                Reply::None => Part::Done(None),
                Reply::Now(response) => Part::Done(Some(response)),
                Reply::Later(later) => Part::Making(later),
            })
            .collect();
        if parts.iter().any(|part| matches!(part, Part::Making(_))) {
            return Reply::Later(Later(Making::Batch(parts)));
        }
        batch(parts).map_or(Reply::None, Reply::Now)
    }
}

/// One response out of many; none if nobody waits for any.
fn batch(parts: Vec<Part>) -> Option<Response> {
    let responses: Vec<Response> = parts
        .into_iter()
        .filter_map(|part| match part {
            Part::Done(response) => response,
            Part::Making(_) => None,
        })
        .collect();
    (!responses.is_empty()).then_some(Response { to: Addressee::Absent, body: Body::Batch(responses) })
}

impl fmt::Debug for Later {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Making::Call(running) => running.fmt(f),
            Making::Prompt(running) => running.fmt(f),
            Making::Read(running) => running.fmt(f),
            Making::Completion(running) => running.fmt(f),
            Making::Task(running) => running.fmt(f),
            Making::Batch(parts) => write!(f, "Batch of {}", parts.len()),
        }
    }
}
