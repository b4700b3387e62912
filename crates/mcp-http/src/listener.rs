//! A listening server: accepts connections until it is stopped, then waits for the requests in flight.

use std::future::{Future, poll_fn};
use std::io::{self, Write};
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::Poll;

use mcp_core::{Cancellation, Server};
use tokio::net::{TcpListener, TcpStream, ToSocketAddrs};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use crate::connection::ConnectionService;
use crate::connections::Connections;
use crate::endpoint::Endpoint;
use crate::error::Error;
use crate::limits::{ACCEPT_RETRY, ACCEPT_RETRY_AFTER_CLOSE};
use crate::options::Http;
use crate::peer::{Peer, PeerAddress};
use crate::sys::ShutdownSignal;

/// A server that is bound to an address.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
/// let listener = mcp_http::Http::new().listen(mcp_core::server!(), "127.0.0.1:0").await?;
/// println!("http://{}/mcp", listener.address());
/// # let signal = std::future::ready(());
/// listener.serve_until(signal).await; // `serve` waits for SIGTERM and SIGINT
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

    /// Serves until a signal shuts the process down: SIGTERM or SIGINT, or Ctrl-C on Windows. Prints the URL of the endpoint to
    /// standard error.
    ///
    /// The first signal starts the shutdown that [`serve_until`](Listener::serve_until) describes. A second one ends the process
    /// at once. The handlers stay installed after this function has returned, so a second signal also ends a program that does
    /// not finish.
    ///
    /// # Errors
    /// Returns an error if the signal handlers cannot be installed.
    pub async fn serve(self) -> Result<(), Error> {
        let signal = ShutdownSignal::listen().map_err(Error::Signal)?;
        // A write fails if standard error is closed. The server then runs all the same.
        let _ = writeln!(io::stderr(), "listening on http://{}{}", self.address, self.options.path);
        self.serve_until(signal.received()).await;
        Ok(())
    }

    /// Serves until `signal` completes, then shuts down: refuses new connections, closes idle ones, ends the streams that stay
    /// open, waits for the calls in flight for the time set with [`Http::grace`], and cancels the rest.
    ///
    /// Calls whose client has disconnected are not waited for. A blocking function of a tool cannot be cancelled; it runs until
    /// it returns, and the tokio runtime waits for it when it is dropped.
    ///
    /// Dropping this future closes all connections and cancels all requests immediately.
    pub async fn serve_until<T>(self, signal: impl Future<Output = T>) {
        let Listener { listener, endpoint, options, .. } = self;
        let limit = options.limits.connections;
        let mut serving = Serving {
            service: ConnectionService {
                endpoint: endpoint.clone(),
                options: options.clone(),
                closing: Cancellation::new(),
            },
            connections: Connections::new(limit.total, limit.per_client()),
            tasks: JoinSet::new(),
        };
        serving.accept_until(&listener, signal).await;
        serving.accept_waiting(&listener).await;
        drop(listener);
        serving.service.closing.cancel();
        endpoint.close();
        let _ = timeout(options.limits.grace, async { while serving.tasks.join_next().await.is_some() {} }).await;
        serving.tasks.shutdown().await;
        endpoint.end_sessions();
    }
}

/// The connections of a listener that serves.
struct Serving {
    service: ConnectionService,
    connections: Arc<Connections>,
    tasks: JoinSet<()>,
}

impl Serving {
    /// Accepts connections until `signal` completes.
    async fn accept_until<T>(&mut self, listener: &TcpListener, signal: impl Future<Output = T>) {
        let mut signal = pin!(signal);
        while unless(signal.as_mut(), pin!(self.accept_next(listener))).await.is_some() {
            while self.tasks.try_join_next().is_some() {}
        }
    }

    /// Accepts one connection and serves it in a task.
    async fn accept_next(&mut self, listener: &TcpListener) {
        match listener.accept().await {
            Ok((stream, address)) => self.serve(stream, address).await,
            Err(error) if concerns_one_connection(&error) => {}
            Err(error) => {
                tracing::warn!(%error, "cannot accept connections");
                // Usually there are too many open files.
                let has_closed = self.connections.close_idle();
                sleep(if has_closed { ACCEPT_RETRY_AFTER_CLOSE } else { ACCEPT_RETRY }).await;
            }
        }
    }

    /// Accepts the connections that clients have already opened, because closing the listener would reset them.
    async fn accept_waiting(&mut self, listener: &TcpListener) {
        while let Some(Ok((stream, address))) = ready_now(listener.accept()).await {
            if ready_now(self.serve(stream, address)).await.is_none() {
                return;
            }
        }
        // Lets the new connections read what their clients have already sent.
        tokio::task::yield_now().await;
    }

    /// Serves a connection in a task, as soon as the limits on connections permit.
    async fn serve(&mut self, stream: TcpStream, address: SocketAddr) {
        let peer = PeerAddress(address.ip());
        let limited = (!self.service.options.proxies.contains(peer.0)).then(|| Peer::new(peer.0));
        match self.connections.admit(limited).await {
            Some(slot) => drop(self.tasks.spawn(self.service.clone().serve(stream, peer, slot))),
            None => tracing::debug!(%address, "closed a connection: its peer has too many"),
        }
    }
}

/// Returns the output of a future if it is ready at once.
async fn ready_now<T>(work: impl Future<Output = T>) -> Option<T> {
    let mut work = pin!(work);
    poll_fn(|task| match work.as_mut().poll(task) {
        Poll::Ready(output) => Poll::Ready(Some(output)),
        Poll::Pending => Poll::Ready(None),
    })
    .await
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

/// Returns whether an error of `accept` concerns only the connection that was about to be accepted.
fn concerns_one_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset, Interrupted};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset | Interrupted)
}
