//! Blocking descriptors as async streams, by plain threads.
//!
//! Not by the runtime's own standard input: that parks one of its blocking threads in a read, for which the runtime then
//! waits when it is dropped.

use std::io;
use std::pin::Pin;
use std::sync::mpsc::{Receiver as JobReceiver, Sender as JobSender, channel};
use std::task::{Context, Poll, ready};
use std::thread;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::mpsc;

use crate::sys::unix::{InputStream, OutputStream};

/// As much as a pipe holds.
const CHUNK: usize = 64 << 10;

/// A descriptor that is read by a thread of its own, a few chunks ahead.
#[derive(Debug)]
pub(crate) struct ThreadReader {
    chunks: mpsc::Receiver<io::Result<Vec<u8>>>,
    chunk: Vec<u8>,
    at: usize,
}

impl ThreadReader {
    pub(crate) fn start(source: InputStream) -> io::Result<ThreadReader> {
        let (sender, chunks) = mpsc::channel(2);
        thread::Builder::new().name("mcp-reader".into()).spawn(move || read_chunks(&source, &sender))?;
        Ok(ThreadReader { chunks, chunk: Vec::new(), at: 0 })
    }
}

/// The thread ends with the input, or with the next chunk after nobody listens any more.
fn read_chunks(source: &InputStream, chunks: &mpsc::Sender<io::Result<Vec<u8>>>) {
    let mut buffer = vec![0; CHUNK];
    loop {
        let chunk = match source.read(&mut buffer) {
            Ok(0) => return,
            Ok(length) => Ok(buffer[..length].to_vec()),
            Err(error) => Err(error),
        };
        let failed = chunk.is_err();
        if chunks.blocking_send(chunk).is_err() || failed {
            return;
        }
    }
}

impl AsyncRead for ThreadReader {
    fn poll_read(mut self: Pin<&mut Self>, task: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        if self.at == self.chunk.len() {
            match ready!(self.chunks.poll_recv(task)) {
                None => return Poll::Ready(Ok(())),
                Some(chunk) => (self.chunk, self.at) = (chunk?, 0),
            }
        }
        let end = self.chunk.len().min(self.at + buffer.remaining());
        buffer.put_slice(&self.chunk[self.at..end]);
        self.at = end;
        Poll::Ready(Ok(()))
    }
}

/// A descriptor that is written by a thread of its own.
#[derive(Debug)]
pub(crate) struct ThreadWriter {
    batches: JobSender<Vec<u8>>,
    outcomes: mpsc::UnboundedReceiver<io::Result<()>>,
    busy: bool,
}

impl ThreadWriter {
    pub(crate) fn start(sink: OutputStream) -> io::Result<ThreadWriter> {
        let (batches, jobs) = channel();
        let (done, outcomes) = mpsc::unbounded_channel();
        thread::Builder::new().name("mcp-writer".into()).spawn(move || write_on(&sink, &jobs, &done))?;
        Ok(ThreadWriter { batches, outcomes, busy: false })
    }
}

fn write_on(sink: &OutputStream, jobs: &JobReceiver<Vec<u8>>, done: &mpsc::UnboundedSender<io::Result<()>>) {
    while let Ok(batch) = jobs.recv() {
        if done.send(sink.write_all(&batch, |_| {})).is_err() {
            return;
        }
    }
}

impl AsyncWrite for ThreadWriter {
    fn poll_write(mut self: Pin<&mut Self>, task: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        ready!(self.as_mut().poll_flush(task))?;
        if self.batches.send(bytes.to_vec()).is_err() {
            return Poll::Ready(Err(io::ErrorKind::BrokenPipe.into()));
        }
        self.busy = true;
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.busy {
            let outcome = ready!(self.outcomes.poll_recv(task));
            self.busy = false;
            return Poll::Ready(outcome.unwrap_or_else(|| Err(io::ErrorKind::BrokenPipe.into())));
        }
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.poll_flush(task)
    }
}
