//! The result of starting a call: a finished value, a future, or a blocking function.

use std::fmt;
use std::future::Future;

use crate::host::BoxFuture;
use crate::tool::result::ToolResult;

/// The work of a call: a finished value, a future, or a function that blocks its thread.
pub struct ToolFuture<T = ToolResult> {
    pub(crate) work: Work<T>,
}

pub(crate) enum Work<T> {
    Ready(T),
    Future(BoxFuture<T>),
    Blocking(Box<dyn FnOnce() -> T + Send>),
}

impl<T> ToolFuture<T> {
    /// Creates the future of a result that is already available.
    pub fn ready(result: T) -> ToolFuture<T> {
        ToolFuture { work: Work::Ready(result) }
    }

    /// Wraps a future, which must not block its thread.
    pub fn future(future: impl Future<Output = T> + Send + 'static) -> ToolFuture<T> {
        ToolFuture { work: Work::Future(Box::pin(future)) }
    }

    /// Wraps a function that may block. The host runs it on a thread for blocking work.
    pub fn blocking(work: impl FnOnce() -> T + Send + 'static) -> ToolFuture<T> {
        ToolFuture { work: Work::Blocking(Box::new(work)) }
    }
}

impl<T: 'static> ToolFuture<T> {
    /// Converts the result with `then` when it is available.
    pub(crate) fn map<U: 'static>(self, then: fn(T) -> U) -> ToolFuture<U> {
        match self.work {
            Work::Ready(value) => ToolFuture::ready(then(value)),
            Work::Future(future) => ToolFuture::future(async move { then(future.await) }),
            Work::Blocking(work) => ToolFuture::blocking(move || then(work())),
        }
    }
}

impl<T> fmt::Debug for ToolFuture<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.work {
            Work::Ready(_) => "ToolFuture::ready",
            Work::Future(_) => "ToolFuture::future",
            Work::Blocking(_) => "ToolFuture::blocking",
        })
    }
}
