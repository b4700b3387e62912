//! The work of a call: done, under way, or waiting for a thread that it may block.

use std::fmt;
use std::future::Future;

use crate::host::BoxFuture;
use crate::tool_output::ToolOutput;

/// The work of a call, on its way to a `T`.
pub struct Calling<T = ToolOutput>(pub(crate) Work<T>);

pub(crate) enum Work<T> {
    Ready(T),
    Future(BoxFuture<T>),
    Blocking(Box<dyn FnOnce() -> T + Send>),
}

impl<T> Calling<T> {
    /// Done already.
    pub fn ready(result: T) -> Calling<T> {
        Calling(Work::Ready(result))
    }

    /// An `async fn` at work.
    pub fn future(future: impl Future<Output = T> + Send + 'static) -> Calling<T> {
        Calling(Work::Future(Box::pin(future)))
    }

    /// A plain `fn`, which may block the thread it runs on.
    pub fn blocking(work: impl FnOnce() -> T + Send + 'static) -> Calling<T> {
        Calling(Work::Blocking(Box::new(work)))
    }
}

impl<T: 'static> Calling<T> {
    /// The same work, with something else made of what comes out.
    pub(crate) fn map<U: 'static>(self, then: fn(T) -> U) -> Calling<U> {
        match self.0 {
            Work::Ready(value) => Calling::ready(then(value)),
            Work::Future(future) => Calling::future(async move { then(future.await) }),
            Work::Blocking(work) => Calling::blocking(move || then(work())),
        }
    }
}

impl<T> fmt::Debug for Calling<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Work::Ready(_) => "Calling::ready",
            Work::Future(_) => "Calling::future",
            Work::Blocking(_) => "Calling::blocking",
        })
    }
}
