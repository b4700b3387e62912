//! A server around the endpoint: accepts connections until it is told to stop, and then drains.

use std::future::{Future, pending, poll_fn};
use std::io;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use http::{Request, StatusCode};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use mcp_core::{Cancellation, Server};
use tokio::net::{TcpListener, TcpStream, ToSocketAddrs};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tower_service::Service;

use crate::endpoint::Endpoint;
use crate::error::Error;
use crate::options::Http;
use crate::refusal::Refusal;
use crate::stall::Stall;

/// How many bytes the head of a request may have.
const MAX_HEAD: usize = 64 << 10;

/// How long to wait when no connection can be accepted because the system is short of something.
const SHORTAGE: Duration = Duration::from_millis(100);

/// An address that is listened on.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
/// let listener = mcp_http::Http::new().listen(mcp_core::server!(), "127.0.0.1:0").await?;
/// println!("http://{}/mcp", listener.address());
/// # let signal = std::future::ready(());
/// listener.serve_until(signal).await; // such as tokio::signal::ctrl_c()
/// # Ok(())
/// # })
/// # }
/// ```
#[derive(Debug)]
pub struct Listener {
    listener: TcpListener,
    address: SocketAddr,
    endpoint: Endpoint,
    options: Arc<Http>,
}

impl Listener {
    pub(crate) async fn bind(server: Server, address: impl ToSocketAddrs, options: Http) -> Result<Listener, Error> {
        let endpoint = Endpoint::new(server, &options);
        let listener = TcpListener::bind(address).await.map_err(Error::Bind)?;
        let address = listener.local_addr().map_err(Error::Bind)?;
        Ok(Listener { listener, address, endpoint, options: Arc::new(options) })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves for ever.
    pub async fn serve(self) {
        self.serve_until(pending::<()>()).await;
    }

    /// Serves until `signal` is ready. Then no more is accepted, streams end, requests that are being worked on are answered
    /// if they finish within the [grace](Http::grace), and the rest is cancelled.
    ///
    /// Dropping this future cancels everything at once.
    pub async fn serve_until<T>(self, signal: impl Future<Output = T>) {
        let mut connections = JoinSet::new();
        let closing = Cancellation::new();
        self.accept(signal, &mut connections, &closing).await;
        drop(self.listener);
        closing.cancel();
        self.endpoint.close();
        let _ = timeout(self.options.grace, async { while connections.join_next().await.is_some() {} }).await;
        connections.shutdown().await;
    }

    async fn accept<T>(&self, signal: impl Future<Output = T>, connections: &mut JoinSet<()>, closing: &Cancellation) {
        let room = Arc::new(Semaphore::new(self.options.max_connections.min(Semaphore::MAX_PERMITS)));
        let mut signal = pin!(signal);
        loop {
            let next = async {
                let permit = room.clone().acquire_owned().await;
                (self.listener.accept().await, permit)
            };
            let Some((accepted, permit)) = unless(signal.as_mut(), pin!(next)).await else { return };
            while connections.try_join_next().is_some() {}
            match accepted {
                Ok((stream, _)) => {
                    let serving = connection(stream, self.endpoint.clone(), self.options.clone(), closing.clone());
                    connections.spawn(async move {
                        serving.await;
                        drop(permit);
                    });
                }
                Err(error) if is_of_one_connection(&error) => {}
                Err(error) => {
                    tracing::warn!(%error, "no connection can be accepted");
                    if unless(signal.as_mut(), pin!(sleep(SHORTAGE))).await.is_none() {
                        return;
                    }
                }
            }
        }
    }
}

/// Serves one connection to its end, or when told to close, to the end of the request that is being worked on.
async fn connection(stream: TcpStream, endpoint: Endpoint, options: Arc<Http>, closing: Cancellation) {
    // Small messages should not wait for each other.
    let _ = stream.set_nodelay(true);
    let (served, write_timeout) = (options.clone(), options.write_timeout);
    let service = service_fn(move |request: Request<Incoming>| {
        let (mut endpoint, elsewhere) = (endpoint.clone(), !served.is_served(request.uri().path()));
        async move {
            if elsewhere {
                return Ok(Refusal::new(StatusCode::NOT_FOUND, "nothing is served at this path").into_response());
            }
            endpoint.call(request).await
        }
    });
    // A request may have 100 headers: to say so would cost each of them an allocation.
    let serving = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(options.header_timeout)
        .max_header_size(MAX_HEAD)
        .serve_connection(TokioIo::new(Stall::new(stream, write_timeout)), service);
    let (mut serving, mut closed, mut told) = (pin!(serving), pin!(closing.cancelled()), false);
    let outcome = poll_fn(|task| {
        if !told && closed.as_mut().poll(task).is_ready() {
            told = true;
            serving.as_mut().graceful_shutdown();
        }
        serving.as_mut().poll(task)
    });
    if let Err(error) = outcome.await {
        tracing::debug!(%error, "a connection broke");
    }
}

/// What comes of `work`, unless `signal` is ready first.
async fn unless<S, T>(
    mut signal: Pin<&mut impl Future<Output = S>>,
    mut work: Pin<&mut impl Future<Output = T>>,
) -> Option<T> {
    poll_fn(|task| match signal.as_mut().poll(task) {
        Poll::Ready(_) => Poll::Ready(None),
        Poll::Pending => work.as_mut().poll(task).map(Some),
    })
    .await
}

/// Whether an error says nothing about the next connection.
fn is_of_one_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset, Interrupted};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset | Interrupted)
}
