//! Connections whose client no longer takes what it is sent.

use std::future::Future;
use std::io::{self, ErrorKind, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

/// A stream that breaks when nothing can be written for too long: a client that does not read would else hold what waits
/// for it in memory for ever.
#[derive(Debug)]
pub(crate) struct Stall<S> {
    stream: S,
    limit: Duration,
    since: Option<Pin<Box<Sleep>>>,
}

impl<S> Stall<S> {
    pub(crate) fn new(stream: S, limit: Duration) -> Stall<S> {
        Stall { stream, limit, since: None }
    }

    /// What writing came to, with an eye on the clock.
    fn watch<T>(&mut self, outcome: Poll<io::Result<T>>, task: &mut Context<'_>) -> Poll<io::Result<T>> {
        if outcome.is_ready() {
            self.since = None;
            return outcome;
        }
        let limit = self.limit;
        let since = self.since.get_or_insert_with(|| Box::pin(sleep(limit)));
        since.as_mut().poll(task).map(|()| Err(ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Stall<S> {
    fn poll_read(mut self: Pin<&mut Self>, task: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(task, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Stall<S> {
    fn poll_write(mut self: Pin<&mut Self>, task: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.stream).poll_write(task, bytes);
        self.watch(outcome, task)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        task: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.stream).poll_write_vectored(task, slices);
        self.watch(outcome, task)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<io::Result<()>> {
        let outcome = Pin::new(&mut self.stream).poll_flush(task);
        self.watch(outcome, task)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<io::Result<()>> {
        let outcome = Pin::new(&mut self.stream).poll_shutdown(task);
        self.watch(outcome, task)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncWriteExt, duplex};

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_client_that_reads_nothing_is_given_up_and_a_slow_one_is_not() {
        let (near, mut far) = duplex(8);
        let mut stall = Stall::new(near, Duration::from_secs(30));
        let reading = tokio::spawn(async move {
            let mut buffer = [0; 8];
            for _ in 0..3 {
                sleep(Duration::from_secs(20)).await;
                tokio::io::AsyncReadExt::read(&mut far, &mut buffer).await.unwrap();
            }
            far
        });
        stall.write_all(&[0; 24]).await.unwrap();
        let _far = reading.await.unwrap();
        let error = stall.write_all(&[0; 24]).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::TimedOut);
    }
}
