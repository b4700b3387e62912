//! One connection: HTTP/1.1 with timeouts for clients that send or read too slowly.

use std::convert::Infallible;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::Poll;

use http::{Request, Response, StatusCode};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use mcp_core::Cancellation;
use mcp_core::transport::{Response as RpcResponse, RpcError};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tower_service::Service;

use crate::body::Body;
use crate::connections::OpenConnection;
use crate::endpoint::Endpoint;
use crate::limits::MAX_REQUEST_HEAD;
use crate::options::Http;
use crate::peer::PeerAddress;
use crate::responses::{Refusal, encode};
use crate::write_timeout::WriteTimeout;

/// What every connection of a listener serves.
#[derive(Clone)]
pub(crate) struct ConnectionService {
    pub(crate) endpoint: Endpoint,
    pub(crate) options: Arc<Http>,
    /// Cancelled when the listener shuts down.
    pub(crate) closing: Cancellation,
}

impl ConnectionService {
    /// Serves one connection until it is closed: by its client, to make room for another connection or, after `closing` is
    /// cancelled, when the request in flight is answered.
    pub(crate) async fn serve(self, stream: TcpStream, peer: PeerAddress, slot: OpenConnection) {
        // Without this, the system may delay a small response in order to send it together with later data.
        let _ = stream.set_nodelay(true);
        let slot = Arc::new(slot);
        let service = service_fn(|mut request: Request<Incoming>| {
            let served = slot.serve_request();
            request.extensions_mut().insert(peer);
            let response = self.respond(request);
            async move { Ok::<_, Infallible>(response.await.map(|body| body.of_request(served))) }
        });
        // `max_headers` is not set: hyper limits the number of headers to 100 by default, and setting it explicitly makes hyper
        // allocate for each request.
        let mut connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(self.options.limits.header_timeout)
            .max_header_size(MAX_REQUEST_HEAD)
            .serve_connection(TokioIo::new(WriteTimeout::new(stream, self.options.limits.write_timeout)), service);
        let (mut shut_down, mut evicted, mut is_closing) = (pin!(self.closing.cancelled()), pin!(slot.closed()), false);
        let outcome = poll_fn(|task| {
            if evicted.as_mut().poll(task).is_ready() {
                return Poll::Ready(Ok(()));
            }
            // First read what has arrived: a connection without a request is closed by the shutdown.
            let outcome = Pin::new(&mut connection).poll(task);
            if outcome.is_pending() && !is_closing && shut_down.as_mut().poll(task).is_ready() {
                is_closing = true;
                Pin::new(&mut connection).graceful_shutdown();
                return Pin::new(&mut connection).poll(task);
            }
            outcome
        });
        let Err(error) = outcome.await else { return };
        tracing::debug!(%error, "a connection failed");
        let parts = connection.into_parts();
        // hyper closes the connection without a response. Without the start of a request there is nothing to respond to.
        if error.is_timeout() && !parts.read_buf.is_empty() {
            let _ = parts.io.into_inner().write_all(&request_timeout()).await;
        }
    }

    fn respond(&self, request: Request<Incoming>) -> impl Future<Output = Response<Body>> + use<> {
        let is_served = self.options.is_served(request.uri().path());
        let mut endpoint = self.endpoint.clone();
        async move {
            if !is_served {
                return Refusal::new(StatusCode::NOT_FOUND, "nothing is served at this path").into_response();
            }
            let Ok(response) = endpoint.call(request).await;
            response
        }
    }
}

/// Encodes the response to a request whose headers did not arrive in time.
fn request_timeout() -> Vec<u8> {
    let body = encode(&RpcResponse::refusal(None, RpcError::invalid_request("the request headers did not arrive in time")));
    let status = "HTTP/1.1 408 Request Timeout";
    let headers = format!("connection: close\r\ncontent-type: application/json\r\ncontent-length: {}", body.len());
    [status.as_bytes(), b"\r\n", headers.as_bytes(), b"\r\n\r\n", &body].concat()
}
