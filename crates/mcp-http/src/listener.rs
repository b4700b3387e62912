//! A listening server: accepts connections until it is stopped, then waits for the requests in flight.

use std::future::{Future, pending, poll_fn};
use std::io;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::Poll;

use http::{Request, StatusCode};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use mcp_core::{Cancellation, Server};
use tokio::net::{TcpListener, TcpStream, ToSocketAddrs};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tower_service::Service;

use crate::endpoint::Endpoint;
use crate::error::Error;
use crate::limits::{ACCEPT_RETRY, MAX_REQUEST_HEAD, semaphore};
use crate::options::Http;
use crate::responses::Refusal;
use crate::write_timeout::WriteTimeout;

/// A server that is bound to an address.
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

    /// Returns the local address. It has the port that the system chose if port 0 was given.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves without end.
    pub async fn serve(self) {
        self.serve_until(pending::<()>()).await;
    }

    /// Serves until `signal` completes, then shuts down: stops accepting connections, ends the streams that stay open, waits
    /// for the requests in flight for the time set with [`Http::grace`], and cancels the rest.
    ///
    /// Dropping this future closes all connections and cancels all requests immediately.
    pub async fn serve_until<T>(self, signal: impl Future<Output = T>) {
        let mut connections = JoinSet::new();
        let closing = Cancellation::new();
        self.accept(signal, &mut connections, &closing).await;
        drop(self.listener);
        closing.cancel();
        self.endpoint.close();
        let _ = timeout(self.options.limits.grace, async { while connections.join_next().await.is_some() {} }).await;
        connections.shutdown().await;
    }

    async fn accept<T>(&self, signal: impl Future<Output = T>, connections: &mut JoinSet<()>, closing: &Cancellation) {
        let slots = semaphore(self.options.limits.max_connections);
        let mut signal = pin!(signal);
        loop {
            let next = async {
                let permit = slots.clone().acquire_owned().await;
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
                Err(error) if concerns_one_connection(&error) => {}
                Err(error) => {
                    tracing::warn!(%error, "cannot accept connections");
                    if unless(signal.as_mut(), pin!(sleep(ACCEPT_RETRY))).await.is_none() {
                        return;
                    }
                }
            }
        }
    }
}

/// Serves one connection until the client closes it or, after `closing` is cancelled, until the request in flight is answered.
async fn connection(stream: TcpStream, endpoint: Endpoint, options: Arc<Http>, closing: Cancellation) {
    // Without this, the system may delay a small response in order to send it together with later data.
    let _ = stream.set_nodelay(true);
    let (served, write_timeout) = (options.clone(), options.limits.write_timeout);
    let service = service_fn(move |request: Request<Incoming>| {
        let (mut endpoint, is_served) = (endpoint.clone(), served.is_served(request.uri().path()));
        async move {
            match is_served {
                true => endpoint.call(request).await,
                false => Ok(Refusal::new(StatusCode::NOT_FOUND, "nothing is served at this path").into_response()),
            }
        }
    });
    // `max_headers` is not set: hyper limits the number of headers to 100 by default, and setting it explicitly makes hyper
    // allocate for each request.
    let serving = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(options.limits.header_timeout)
        .max_header_size(MAX_REQUEST_HEAD)
        .serve_connection(TokioIo::new(WriteTimeout::new(stream, write_timeout)), service);
    let (mut serving, mut closed, mut is_closing) = (pin!(serving), pin!(closing.cancelled()), false);
    let outcome = poll_fn(|task| {
        if !is_closing && closed.as_mut().poll(task).is_ready() {
            is_closing = true;
            serving.as_mut().graceful_shutdown();
        }
        serving.as_mut().poll(task)
    });
    if let Err(error) = outcome.await {
        tracing::debug!(%error, "a connection failed");
    }
}

/// Returns the output of `work`, or `None` if `signal` completes first.
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

/// Whether an error of `accept` concerns only the connection that was about to be accepted.
fn concerns_one_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset, Interrupted};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset | Interrupted)
}
