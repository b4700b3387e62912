//! The local HTTP server that receives the browser's redirect after a login.

use std::convert::Infallible;
use std::io;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::Duration;

use http::{Method, Request, Response, StatusCode, header};
use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use url::Url;

use super::address::{address_of, is_loopback};
use crate::authorize::AuthorizeError;

/// The maximum number of connections at the same time.
const MOST_CONNECTIONS: usize = 16;

/// Timeout for receiving a request.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);

/// The maximum number of bytes of a request that are buffered.
const BUFFER: usize = 16 << 10;

/// Timeout for sending the page.
const PAGE_TIMEOUT: Duration = Duration::from_secs(2);

/// Receives one authorization response.
#[derive(Debug)]
pub(super) struct Listener {
    socket: TcpListener,
    /// The URL that the browser is redirected to.
    pub(super) redirect: Url,
}

/// The parameters of an authorization response with the expected state.
#[derive(Debug, Default)]
pub(super) struct Redirected {
    pub(super) code: Option<String>,
    pub(super) issuer: Option<String>,
    pub(super) error: Option<String>,
    pub(super) error_description: Option<String>,
}

impl Listener {
    /// Listens at the host and port of a URL. The system chooses a port if the URL has none.
    pub(super) async fn bind(redirect: &Url) -> io::Result<Listener> {
        let address = address_of(redirect).unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
        let socket = TcpListener::bind((address, redirect.port().unwrap_or(0))).await?;
        let mut redirect = redirect.clone();
        let _ = redirect.set_port(Some(socket.local_addr()?.port()));
        Ok(Listener { socket, redirect })
    }

    /// Waits for the redirect with this state. Requests with another state are refused, and do not end the wait.
    pub(super) async fn wait(self, state: String) -> io::Result<Redirected> {
        // Capacity one: only the first redirect with the expected state is accepted.
        let (sender, mut receiver) = mpsc::channel(1);
        let expected = Arc::new(Expected { path: self.redirect.path().to_owned(), state, sender });
        let mut connections = JoinSet::new();
        loop {
            tokio::select! {
                Some(redirected) = receiver.recv() => {
                    let drained = async move { while connections.join_next().await.is_some() {} };
                    tokio::spawn(tokio::time::timeout(PAGE_TIMEOUT, drained));
                    return Ok(redirected);
                }
                accepted = self.socket.accept(), if connections.len() < MOST_CONNECTIONS => {
                    if let Ok((stream, _)) = accepted {
                        connections.spawn(serve(stream, Arc::clone(&expected)));
                    }
                }
                Some(_) = connections.join_next() => {}
            }
        }
    }
}

/// Checks the redirect URL of the options.
pub(super) fn check_redirect(text: &str) -> Result<Url, AuthorizeError> {
    let url = Url::parse(text).ok().filter(|url| {
        url.scheme() == "http"
            && is_loopback(url)
            && url.query().is_none()
            && url.fragment().is_none()
            && url.username().is_empty()
    });
    url.ok_or_else(|| {
        AuthorizeError::new(format!("the redirect URL `{text}` must be an http URL of this machine, without a query"))
    })
}

struct Expected {
    path: String,
    state: String,
    sender: mpsc::Sender<Redirected>,
}

async fn serve(stream: TcpStream, expected: Arc<Expected>) {
    let answer = service_fn(|request| {
        let page = expected.answer(&request);
        async { Ok::<_, Infallible>(page) }
    });
    let mut server = http1::Builder::new();
    server.keep_alive(false).max_buf_size(BUFFER).timer(TokioTimer::new()).header_read_timeout(REQUEST_TIMEOUT);
    if let Err(error) = server.serve_connection(TokioIo::new(stream), answer).await {
        tracing::debug!(%error, "a connection to the redirect URL failed");
    }
}

impl Expected {
    fn answer(&self, request: &Request<Incoming>) -> Response<Full<Bytes>> {
        if request.uri().path() != self.path {
            return page(StatusCode::NOT_FOUND, "There is nothing here.");
        }
        if request.method() != Method::GET {
            return page(StatusCode::METHOD_NOT_ALLOWED, "Only GET is supported.");
        }
        let redirected = self.parse(request.uri().query().unwrap_or_default());
        // Also refuses a second response with the same state.
        if redirected.is_some_and(|redirected| self.sender.try_send(redirected).is_ok()) {
            page(StatusCode::OK, "You can close this window and return to the program.")
        } else {
            page(StatusCode::BAD_REQUEST, "This login is unknown or already complete. Start it again in the program.")
        }
    }

    /// Parses the parameters. Returns `None` if the state is not the expected one, or a parameter is repeated.
    fn parse(&self, query: &str) -> Option<Redirected> {
        let (mut redirected, mut state) = (Redirected::default(), None);
        for (name, value) in url::form_urlencoded::parse(query.as_bytes()) {
            let field = match &*name {
                "state" => &mut state,
                "code" => &mut redirected.code,
                "iss" => &mut redirected.issuer,
                "error" => &mut redirected.error,
                "error_description" => &mut redirected.error_description,
                _ => continue,
            };
            if field.replace(value.into_owned()).is_some() {
                return None;
            }
        }
        (state.as_deref() == Some(&*self.state)).then_some(redirected)
    }
}

/// Returns a page without any text from the request, which other sites cannot frame or read.
fn page(status: StatusCode, text: &str) -> Response<Full<Bytes>> {
    let html = format!("<!doctype html><meta charset=utf-8><title>Login</title><p>{text}</p>\n");
    let mut response = Response::new(Full::new(Bytes::from(html)));
    *response.status_mut() = status;
    for (name, value) in [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'"),
        (header::CACHE_CONTROL, "no-store"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ] {
        response.headers_mut().insert(name, header::HeaderValue::from_static(value));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_redirect_url_must_be_on_this_machine() {
        for url in ["http://127.0.0.1/callback", "http://localhost:3000/", "http://[::1]:80/x"] {
            assert!(check_redirect(url).is_ok(), "{url}");
        }
        for url in [
            "https://localhost/",
            "http://0.0.0.0/",
            "http://example.com/",
            "http://10.0.0.1/",
            "http://127.0.0.1/?a=b",
            "x",
        ] {
            assert!(check_redirect(url).is_err(), "{url}");
        }
    }

    #[test]
    fn a_response_with_a_wrong_or_repeated_parameter_is_refused() {
        let (sender, _receiver) = mpsc::channel(1);
        let expected = Expected { path: "/".into(), state: "right".into(), sender };
        assert!(expected.parse("code=1&state=right").is_some());
        for query in
            ["", "code=1", "code=1&state=wrong", "code=1&code=2&state=right", "state=right&state=right", "state=right%00"]
        {
            assert!(expected.parse(query).is_none(), "{query}");
        }
    }
}
