//! Standard input and output as async streams, each with a thread that blocks in `read` or `write`.
//!
//! The standard input of tokio is not used: it blocks one of the blocking threads of the runtime, and a runtime that is dropped
//! waits for that thread.

use std::io;
use std::pin::Pin;
use std::sync::mpsc::{Receiver as BatchReceiver, Sender as BatchSender, channel};
use std::task::{Context, Poll, ready};
use std::thread;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::mpsc;

use crate::io::streams::{InputStream, OutputStream};

/// The number of bytes that are read at a time: the capacity of a pipe.
const CHUNK: usize = 64 << 10;

/// A stream that a thread reads, at most two chunks ahead.
#[derive(Debug)]
pub(crate) struct ThreadReader {
    chunks: mpsc::Receiver<io::Result<Vec<u8>>>,
    chunk: Vec<u8>,
    position: usize,
}

impl ThreadReader {
    pub(crate) fn start(input: InputStream) -> io::Result<ThreadReader> {
        let (sender, chunks) = mpsc::channel(2);
        thread::Builder::new().name("mcp-reader".into()).spawn(move || read_chunks(&input, &sender))?;
        Ok(ThreadReader { chunks, chunk: Vec::new(), position: 0 })
    }
}

/// Ends at the end of input, and with the first chunk after the receiver was dropped.
fn read_chunks(input: &InputStream, chunks: &mpsc::Sender<io::Result<Vec<u8>>>) {
    let mut buffer = vec![0; CHUNK];
    loop {
        let chunk = match input.read(&mut buffer) {
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
        if self.position == self.chunk.len() {
            match ready!(self.chunks.poll_recv(task)) {
                None => return Poll::Ready(Ok(())),
                Some(chunk) => (self.chunk, self.position) = (chunk?, 0),
            }
        }
        let end = self.chunk.len().min(self.position + buffer.remaining());
        buffer.put_slice(&self.chunk[self.position..end]);
        self.position = end;
        Poll::Ready(Ok(()))
    }
}

/// A stream that a thread writes.
#[derive(Debug)]
pub(crate) struct ThreadWriter {
    batches: BatchSender<Vec<u8>>,
    outcomes: mpsc::UnboundedReceiver<io::Result<()>>,
    writing: bool,
}

impl ThreadWriter {
    pub(crate) fn start(output: OutputStream) -> io::Result<ThreadWriter> {
        let (batches, receiver) = channel();
        let (sender, outcomes) = mpsc::unbounded_channel();
        thread::Builder::new().name("mcp-writer".into()).spawn(move || write_batches(&output, &receiver, &sender))?;
        Ok(ThreadWriter { batches, outcomes, writing: false })
    }
}

/// Ends when the other end of a channel was dropped.
fn write_batches(output: &OutputStream, batches: &BatchReceiver<Vec<u8>>, outcomes: &mpsc::UnboundedSender<io::Result<()>>) {
    while let Ok(batch) = batches.recv() {
        if outcomes.send(output.write_all(&batch, |_| {})).is_err() {
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
        self.writing = true;
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.writing {
            let outcome = ready!(self.outcomes.poll_recv(task));
            self.writing = false;
            return Poll::Ready(outcome.unwrap_or_else(|| Err(io::ErrorKind::BrokenPipe.into())));
        }
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.poll_flush(task)
    }
}
