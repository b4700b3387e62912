//! The work of a call: done, under way, or waiting for a thread that it may block.

use std::fmt;
use std::future::Future;

use crate::host::BoxFuture;
use crate::tool::output::ToolOutput;

/// The work of a call, on its way to a `T`.
pub struct ToolFuture<T = ToolOutput>(pub(crate) Work<T>);

pub(crate) enum Work<T> {
    Ready(T),
    Future(BoxFuture<T>),
    Blocking(Box<dyn FnOnce() -> T + Send>),
}

impl<T> ToolFuture<T> {
    /// Done already.
    pub fn ready(result: T) -> ToolFuture<T> {
        ToolFuture(Work::Ready(result))
    }

    /// An `async fn` at work.
    pub fn future(future: impl Future<Output = T> + Send + 'static) -> ToolFuture<T> {
        ToolFuture(Work::Future(Box::pin(future)))
    }

    /// A plain `fn`, which may block the thread it runs on.
    pub fn blocking(work: impl FnOnce() -> T + Send + 'static) -> ToolFuture<T> {
        ToolFuture(Work::Blocking(Box::new(work)))
    }
}

impl<T: 'static> ToolFuture<T> {
    /// The same work, with something else made of what comes out.
    pub(crate) fn map<U: 'static>(self, then: fn(T) -> U) -> ToolFuture<U> {
        match self.0 {
            Work::Ready(value) => ToolFuture::ready(then(value)),
            Work::Future(future) => ToolFuture::future(async move { then(future.await) }),
            Work::Blocking(work) => ToolFuture::blocking(move || then(work())),
        }
    }
}

impl<T> fmt::Debug for ToolFuture<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Work::Ready(_) => "ToolFuture::ready",
            Work::Future(_) => "ToolFuture::future",
            Work::Blocking(_) => "ToolFuture::blocking",
        })
    }
}
