//! A type-erased asynchronous callback of the user, and a future that catches panics.

use std::fmt;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use crate::transport::Pending;

/// An asynchronous callback of the user.
pub(crate) struct Callback<Q, A>(Arc<dyn Fn(Q) -> Pending<'static, A> + Send + Sync>);

impl<Q, A> Callback<Q, A> {
    pub(crate) fn new<F, R>(callback: F) -> Self
    where
        F: Fn(Q) -> R + Send + Sync + 'static,
        R: Future<Output = A> + Send + 'static,
    {
        Self(Arc::new(move |question| Box::pin(callback(question))))
    }
}

impl<Q: Send + 'static, A: Send + 'static> Callback<Q, A> {
    /// Calls the callback inside the returned future. A panic of the callback itself then happens while polling, where
    /// [`Guarded`] catches it.
    pub(crate) fn call(&self, question: Q) -> Pending<'static, A> {
        let callback = Arc::clone(&self.0);
        Box::pin(async move { callback(question).await })
    }
}

impl<Q, A> Clone for Callback<Q, A> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<Q, A> fmt::Debug for Callback<Q, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Callback(..)")
    }
}

/// The error for a callback that panicked. The panic message goes to the panic hook and is not sent to the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Panicked;

/// Polls a future and returns [`Panicked`] if it panics.
pub(crate) struct Guarded<A>(Option<Pending<'static, A>>);

impl<A> Guarded<A> {
    pub(crate) fn new(future: Pending<'static, A>) -> Self {
        Self(Some(future))
    }
}

impl<A> Future for Guarded<A> {
    type Output = Result<A, Panicked>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let Some(future) = self.0.as_mut() else {
            return Poll::Ready(Err(Panicked));
        };
        match catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(context))) {
            Ok(Poll::Pending) => Poll::Pending,
            Ok(Poll::Ready(answer)) => Poll::Ready(Ok(answer)),
            Err(_) => {
                // Dropping the rest of the future may panic too.
                let rest = self.0.take();
                let _ = catch_unwind(AssertUnwindSafe(|| drop(rest)));
                Poll::Ready(Err(Panicked))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_panic_before_and_after_an_await_is_caught() {
        let before = Callback::<u8, u8>::new(|_| -> std::future::Ready<u8> { panic!("before") });
        assert_eq!(Guarded::new(before.call(1)).await, Err(Panicked));
        let after = Callback::<u8, u8>::new(|_| async {
            tokio::task::yield_now().await;
            panic!("after")
        });
        assert_eq!(Guarded::new(after.call(1)).await, Err(Panicked));
        let fine = Callback::new(|n: u8| async move { n + 1 });
        assert_eq!(Guarded::new(fine.call(1)).await, Ok(2));
    }
}
