//! `serve` and `serve_on`: a server as one task among others of the caller's runtime.

use std::future::{Future, poll_fn};
use std::io::{self, ErrorKind};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use mcp_core::Server;
use mcp_core::transport::{BoxFuture, Host, Job, Later, Message, Reply, Session};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::runtime::Handle;
use tokio::task::{JoinSet, yield_now};
use tokio::time::{Instant, sleep, timeout, timeout_at};

use crate::blocking_pool::BlockingPool;
use crate::error::Error;
use crate::io::async_output::AsyncOutput;
use crate::io::backpressure::with_backpressure;
use crate::io::input::message;
use crate::io::thread_streams::{ThreadReader, ThreadWriter};
use crate::options::Stdio;
use crate::run::{PATIENCE, warn_of_abort};
use crate::sys::parent::Parent;
use crate::sys::unix::Streams;
use mcp_lines::Lines;

/// How much is read at a time.
const CHUNK: usize = 64 << 10;

/// How many blocking threads of the caller's runtime plain functions may take.
const POOL_SHARE: usize = 256;

/// How long calls that were cancelled at the end may take to let go.
const CANCEL_TIMEOUT: Duration = Duration::from_millis(300);

/// Serves over standard input and output.
pub(crate) async fn serve(server: Server, options: &Stdio) -> Result<(), Error> {
    warn_of_abort();
    // Before anything is read: a client that is gone right after its first message must be missed too.
    let parent = options.watch_parent.then(Parent::now);
    let wire = Streams::take()?;
    let reader = ThreadReader::start(wire.input).map_err(Error::Start)?;
    let writer = ThreadWriter::start(wire.output).map_err(Error::Start)?;
    let serving = pin!(serve_on(server, reader, writer, options));
    let orphaned = pin!(orphaned(parent));
    match race(serving, orphaned).await {
        First::Left(outcome) => outcome,
        // What is dropped here cancels the calls.
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
    let output = Arc::new(AsyncOutput::default());
    let session = server.session(Arc::new(TaskHost::new()), output.clone());
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
    let mut seen = None;
    let written = loop {
        // A client that goes on reading gets all that is answered.
        if seen.replace(output.written()) == Some(output.written()) {
            break Ok(());
        }
        if let Ok(written) = timeout(PATIENCE, writing.as_mut()).await {
            break written;
        }
    };
    read.map_err(Error::Read)?;
    written.or_else(client_is_gone)
}

/// That nobody reads any more is an end like any other.
fn client_is_gone(error: io::Error) -> Result<(), Error> {
    if error.kind() == ErrorKind::BrokenPipe { Ok(()) } else { Err(Error::Write(error)) }
}

/// A session at work. Dropping it cancels its calls.
struct Serving {
    session: Session,
    output: Arc<AsyncOutput>,
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
                self.output.wake();
                return Ok(());
            }
            self.output.wake();
            while self.calls.try_join_next().is_some() {}
            // A reader that is always ready would keep the writer from its turn.
            yield_now().await;
        }
    }

    /// Answers now what can be answered now, and gives a task of its own only to what cannot.
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

    fn spawn(&mut self, later: Later) {
        let output = self.output.clone();
        self.calls.spawn(async move {
            if let Some(response) = with_backpressure(later, || output.room()).await {
                output.push(&response);
                output.wake();
            }
        });
    }

    /// Waits for the calls until the deadline, and cancels the rest.
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

/// Reads what there is; nothing at the end.
async fn read(mut reader: Pin<&mut impl AsyncRead>, buffer: &mut [u8]) -> io::Result<usize> {
    let mut buffer = ReadBuf::new(buffer);
    poll_fn(|task| reader.as_mut().poll_read(task, &mut buffer)).await?;
    Ok(buffer.filled().len())
}

/// The world of a session whose calls are tasks.
#[derive(Debug)]
pub(crate) struct TaskHost {
    runtime: Handle,
    pool: Arc<BlockingPool>,
}

impl TaskHost {
    /// On the runtime around us.
    pub(crate) fn new() -> TaskHost {
        TaskHost { runtime: Handle::current(), pool: BlockingPool::new(POOL_SHARE) }
    }
}

impl Host for TaskHost {
    fn now(&self) -> std::time::Instant {
        Instant::now().into_std()
    }

    fn sleep(&self, time: Duration) -> BoxFuture<()> {
        Box::pin(sleep(time))
    }

    fn run_blocking(&self, job: Job) {
        self.pool.run(job, &self.runtime);
    }

    fn spawn(&self, work: BoxFuture<()>) {
        self.runtime.spawn(work);
    }
}

/// Is ready when the process that started us is gone, if that is watched.
async fn orphaned(parent: Option<Parent>) {
    let Some(mut parent) = parent else {
        return std::future::pending().await;
    };
    while !parent.is_gone() {
        sleep(parent.pause()).await;
    }
}

enum First<A, B> {
    Left(A),
    Right(B),
}

/// Waits for whichever is first; the other one can go on later.
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
