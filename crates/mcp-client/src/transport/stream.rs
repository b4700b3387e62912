//! Messages as lines, over any pair of streams. The transport for child processes uses parts of it.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use mcp_lines::{Line, Lines};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::sync::{mpsc, watch};
use tokio::time::{sleep, timeout};

use super::{Boxed, Failure, Link, Outgoing, Transport};
use crate::error::ConnectError;
use crate::inbox::Inbox;

/// The maximum number of messages that wait to be written. When it is reached, callers wait, and answers to the server are dropped. It is
/// large, because a server that sends many requests at once still gets an answer to each.
const QUEUE: usize = 4096;

/// The maximum number of messages that are written at once.
const BATCH: usize = 64;

/// The number of bytes that are read at once, and the size of the write buffer that is kept between writes.
const CHUNK: usize = 64 << 10;

/// How long a failed writer waits for the reader to report the cause, which is more precise.
const CAUSE_TIMEOUT: Duration = Duration::from_secs(1);

/// How long a closing client tries to write the last bytes.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(1);

type Reader = Box<dyn AsyncRead + Send + Unpin>;
type Writer = Box<dyn AsyncWrite + Send + Unpin>;

/// A pair of streams. They can be used for one connection only.
pub(crate) struct Streams(Mutex<Option<(Reader, Writer)>>);

impl Streams {
    pub(crate) fn new<R, W>(read: R, write: W) -> Streams
    where
        R: AsyncRead + Send + Unpin + 'static,
        W: AsyncWrite + Send + Unpin + 'static,
    {
        Streams(Mutex::new(Some((Box::new(read), Box::new(write)))))
    }
}

impl Transport for Streams {
    fn open(&self, inbox: Inbox) -> Boxed<'_, Result<Arc<dyn Link>, ConnectError>> {
        Box::pin(async move {
            let streams = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
            let gone = || {
                ConnectError::Ended(
                    "the connection over these streams was lost, and streams cannot be opened again".to_owned(),
                )
            };
            let (read, write) = streams.ok_or_else(gone)?;
            let limit = inbox.message_limit();
            let (queue, closing) = start_writer(write, &inbox);
            let mut closed = closing.subscribe();
            tokio::spawn(async move {
                tokio::select! {
                    end = read_lines(read, &inbox, limit) => inbox.lose(&match end {
                        Ok(()) => "the stream of the server ended".to_owned(),
                        Err(error) => format!("cannot read from the server: {error}"),
                    }),
                    () = until_closing(&mut closed) => inbox.lose("the client was closed"),
                }
            });
            Ok(Arc::new(StreamLink { queue, closing }) as Arc<dyn Link>)
        })
    }

    fn can_reopen(&self) -> bool {
        false
    }
}

struct StreamLink {
    queue: mpsc::Sender<Outgoing>,
    closing: watch::Sender<bool>,
}

impl Link for StreamLink {
    fn exchange(&self, message: Outgoing) -> Boxed<'_, Result<(), Failure>> {
        Box::pin(enqueue(&self.queue, message))
    }

    fn post(self: Arc<Self>, message: Outgoing) {
        post(&self.queue, message);
    }

    fn close(&self) -> Boxed<'_, ()> {
        self.closing.send_replace(true);
        Box::pin(async {})
    }
}

/// Queues a message. The reader task receives the response.
pub(super) async fn enqueue(queue: &mpsc::Sender<Outgoing>, message: Outgoing) -> Result<(), Failure> {
    let lost = |_| Failure::Lost { begun: false, reason: "the connection is closed".to_owned() };
    queue.send(message).await.map_err(lost)
}

/// Queues a message, or drops it if the server does not read.
pub(super) fn post(queue: &mpsc::Sender<Outgoing>, message: Outgoing) {
    if queue.try_send(message).is_err() {
        tracing::debug!("dropped a message, because the server does not read");
    }
}

/// Starts the task that writes messages. It ends when the link is closed or dropped, and then closes the stream.
pub(super) fn start_writer<W>(write: W, inbox: &Inbox) -> (mpsc::Sender<Outgoing>, watch::Sender<bool>)
where
    W: AsyncWrite + Send + Unpin + 'static,
{
    let (sender, queue) = mpsc::channel(QUEUE);
    let closing = watch::Sender::new(false);
    let (mut closed, inbox) = (closing.subscribe(), inbox.clone());
    tokio::spawn(async move {
        tokio::select! {
            biased;
            error = write_lines(queue, write, &inbox) => if let Err(error) = error {
                sleep(CAUSE_TIMEOUT).await;
                inbox.lose(&format!("cannot write to the server: {error}"));
            },
            () = until_closing(&mut closed) => {}
        }
    });
    (sender, closing)
}

/// Waits until a link is closed or dropped.
pub(super) async fn until_closing(closed: &mut watch::Receiver<bool>) {
    // An error means that the link was dropped.
    let _ = closed.wait_for(|closed| *closed).await;
}

async fn write_lines(
    mut queue: mpsc::Receiver<Outgoing>,
    mut write: impl AsyncWrite + Unpin,
    inbox: &Inbox,
) -> io::Result<()> {
    let (mut batch, mut buffer) = (Vec::new(), Vec::new());
    while queue.recv_many(&mut batch, BATCH).await > 0 {
        for message in batch.drain(..) {
            // The caller gave up, so the request is not sent.
            if message.id.is_some() && !inbox.is_waiting(message.id) {
                continue;
            }
            inbox.begin(message.id);
            buffer.extend_from_slice(&message.json);
            buffer.push(b'\n');
        }
        write.write_all(&buffer).await?;
        write.flush().await?;
        buffer.clear();
        buffer.shrink_to(CHUNK);
    }
    // Flushes the last bytes, but only for a short time.
    let _ = timeout(FLUSH_TIMEOUT, write.shutdown()).await;
    Ok(())
}

/// Reads messages until the stream ends or the connection is closed.
pub(super) async fn read_lines(mut read: impl AsyncRead + Unpin, inbox: &Inbox, limit: usize) -> io::Result<()> {
    let (mut lines, mut buffer) = (Lines::new(limit), vec![0; CHUNK]);
    loop {
        let length = read.read(&mut buffer).await?;
        if length == 0 {
            break;
        }
        let mut chunk = &buffer[..length];
        while let Some(line) = lines.next(&mut chunk) {
            if !receive(inbox, line, limit) {
                return Ok(());
            }
        }
    }
    if let Some(line) = lines.finish() {
        receive(inbox, line, limit);
    }
    Ok(())
}

fn receive(inbox: &Inbox, line: Line<'_>, limit: usize) -> bool {
    match line {
        Line::Whole(line) => inbox.receive(line),
        Line::TooLong { head, length } => inbox.oversized(head, length, limit),
    }
}
