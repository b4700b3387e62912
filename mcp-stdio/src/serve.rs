//! `serve` and `serve_on`: a server as a task of the caller's runtime.

use std::future::{Future, poll_fn};
use std::io::{self, ErrorKind};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, Waker, ready};

use mcp_core::Server;
use mcp_core::transport::{Later, Message, Reply, Session};
use mcp_lines::Lines;
use mcp_tokio::TokioHost;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::runtime::Handle;
use tokio::task::{JoinSet, yield_now};
use tokio::time::{Instant, sleep, timeout, timeout_at};

use crate::driver::supervisor::{CANCEL_TIMEOUT, PARENT_CHECK, WRITE_TIMEOUT};
use crate::error::Error;
use crate::io::input::message;
use crate::io::streams::Streams;
use crate::io::task_output::TaskOutput;
use crate::io::thread_streams::{ThreadReader, ThreadWriter};
use crate::options::Stdio;
use crate::run::warn_of_abort;
use crate::sys::Parent;

/// The number of bytes that are read at a time: the capacity of a pipe.
const CHUNK: usize = 64 << 10;

/// Serves over standard input and output.
pub(crate) async fn serve(server: Server, options: &Stdio) -> Result<(), Error> {
    warn_of_abort();
    // Before anything is read: a client may exit right after its first message.
    let parent = options.watch_parent.then(Parent::current);
    let streams = Streams::take()?;
    let reader = ThreadReader::start(streams.input).map_err(Error::Start)?;
    let writer = ThreadWriter::start(streams.output).map_err(Error::Start)?;
    let serving = pin!(serve_on(server, reader, writer, options));
    let orphaned = pin!(orphaned(parent));
    match race(serving, orphaned).await {
        First::Left(outcome) => outcome,
        // Dropping `serving` cancels the calls.
        First::Right(()) => Ok(()),
    }
}

/// Serves over any pair of streams.
pub(crate) async fn serve_on(
    server: Server,
    reader: impl AsyncRead,
    writer: impl AsyncWrite,
    options: &Stdio,
) -> Result<(), Error> {
    let output = Arc::new(TaskOutput::new());
    let session = server.session(Arc::new(TokioHost::on(Handle::current())), output.clone());
    let mut serving = Serving { session, output: output.clone(), calls: JoinSet::new() };
    let (reader, writer) = (pin!(reader), pin!(writer));
    let mut writing = pin!(output.write_to(writer));
    let read = match race(pin!(serving.read(reader, options.max_line)), writing.as_mut()).await {
        First::Left(read) => read,
        First::Right(written) => return written.or_else(client_is_gone),
    };
    let deadline = Instant::now() + options.grace;
    match race(pin!(serving.wind_down(deadline)), writing.as_mut()).await {
        First::Left(()) => {}
        First::Right(written) => return written.or_else(client_is_gone),
    }
    let written = loop {
        // A client that continues to read gets all replies.
        let before = output.written();
        match timeout(WRITE_TIMEOUT, writing.as_mut()).await {
            Ok(written) => break written,
            Err(_) if output.written() == before => break Ok(()),
            Err(_) => {}
        }
    };
    read.map_err(Error::Read)?;
    written.or_else(client_is_gone)
}

/// Removes the error of writing to a client that no longer reads.
fn client_is_gone(error: io::Error) -> Result<(), Error> {
    if error.kind() == ErrorKind::BrokenPipe { Ok(()) } else { Err(Error::Write(error)) }
}

/// A session and the tasks of its calls. Dropping it cancels the calls.
struct Serving {
    session: Session,
    output: Arc<TaskOutput>,
    calls: JoinSet<()>,
}

impl Serving {
    /// Reads and answers until the input ends.
    async fn read(&mut self, mut reader: Pin<&mut impl AsyncRead>, max_line: usize) -> io::Result<()> {
        let (mut lines, mut buffer) = (Lines::new(max_line), vec![0; CHUNK]);
        loop {
            let length = read(reader.as_mut(), &mut buffer).await?;
            let mut chunk = &buffer[..length];
            while let Some(line) = lines.next(&mut chunk) {
                self.receive(message(line, max_line));
                self.output.room().await;
            }
            if length == 0 {
                if let Some(line) = lines.finish() {
                    self.receive(message(line, max_line));
                }
                self.output.wake_writer();
                return Ok(());
            }
            self.output.wake_writer();
            while self.calls.try_join_next().is_some() {}
            // A reader that is always ready would otherwise never let the writer run.
            yield_now().await;
        }
    }

    /// Answers a message at once if possible. Only a call that is pending after its first poll becomes a task.
    fn receive(&mut self, message: Message<'_>) {
        match self.session.receive(message) {
            Reply::None => {}
            Reply::Now(response) => self.output.push(&response),
            Reply::Later(mut later) => match Pin::new(&mut later).poll(&mut Context::from_waker(Waker::noop())) {
                Poll::Ready(Some(response)) => self.output.push(&response),
                Poll::Ready(None) => {}
                Poll::Pending => self.spawn(later),
            },
        }
    }

    /// Runs a call as a task. It proceeds only while the queue has room: results of many calls would otherwise fill the memory
    /// while the client does not read.
    fn spawn(&mut self, mut later: Later) {
        let output = self.output.clone();
        self.calls.spawn(async move {
            let call = poll_fn(|task| {
                ready!(output.poll_room(task));
                Pin::new(&mut later).poll(task)
            });
            if let Some(response) = call.await {
                output.push(&response);
                output.wake_writer();
            }
        });
    }

    /// Waits for the calls until the deadline, and cancels the others.
    async fn wind_down(&mut self, deadline: Instant) {
        let _ = timeout_at(deadline, self.finish()).await;
        self.session.cancel_all();
        let _ = timeout(CANCEL_TIMEOUT, self.finish()).await;
        self.output.close();
    }

    async fn finish(&mut self) {
        while self.calls.join_next().await.is_some() {}
    }
}

/// Reads once. Returns the number of bytes, 0 at the end of input.
async fn read(mut reader: Pin<&mut impl AsyncRead>, buffer: &mut [u8]) -> io::Result<usize> {
    let mut buffer = ReadBuf::new(buffer);
    poll_fn(|task| reader.as_mut().poll_read(task, &mut buffer)).await?;
    Ok(buffer.filled().len())
}

/// Completes when the parent process has exited, if it is watched.
async fn orphaned(parent: Option<Parent>) {
    let Some(parent) = parent else {
        return std::future::pending().await;
    };
    while !parent.has_exited() {
        sleep(PARENT_CHECK).await;
    }
}

enum First<A, B> {
    Left(A),
    Right(B),
}

/// Waits for the first of two futures. The other one can continue later.
async fn race<A, B>(
    mut left: Pin<&mut impl Future<Output = A>>,
    mut right: Pin<&mut impl Future<Output = B>>,
) -> First<A, B> {
    poll_fn(|task| match left.as_mut().poll(task) {
        Poll::Ready(outcome) => Poll::Ready(First::Left(outcome)),
        Poll::Pending => right.as_mut().poll(task).map(First::Right),
    })
    .await
}
