//! Who may use the inspector: checks of `Host`, `Origin` and the token, and the headers of every response.

use std::io;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, CACHE_CONTROL, HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use mcp_core::transport::random_id;

use crate::App;

/// Only the files of the page run scripts, and the page connects only to this program.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data: blob:; \
     media-src data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The token and the addresses of this inspector.
pub(crate) struct Access {
    token: String,
    hosts: [String; 2],
}

impl Access {
    pub(crate) fn new(port: u16) -> io::Result<Access> {
        let token = random_id().map_err(io::Error::other)?;
        Ok(Access { token, hosts: [format!("127.0.0.1:{port}"), format!("localhost:{port}")] })
    }

    pub(crate) fn token(&self) -> &str {
        &self.token
    }

    /// Returns why a request is refused.
    fn refuses(&self, headers: &HeaderMap, path: &str) -> Option<(StatusCode, &'static str)> {
        let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or_default());
        // Without this check, a page could use a name that resolves to this machine.
        let host = text(HOST).filter(|host| self.hosts.iter().any(|known| known == host));
        let Some(host) = host else {
            return Some((
                StatusCode::MISDIRECTED_REQUEST,
                "open the inspector at the address that `cargo mcp inspect` prints",
            ));
        };
        let is_foreign = text(ORIGIN).is_some_and(|origin| origin.strip_prefix("http://") != Some(host));
        let site = text(HeaderName::from_static("sec-fetch-site"));
        if is_foreign || site.is_some_and(|site| !matches!(site, "same-origin" | "none")) {
            return Some((StatusCode::FORBIDDEN, "pages of other origins cannot use the inspector"));
        }
        let token = text(AUTHORIZATION).and_then(|value| value.strip_prefix("Bearer ")).unwrap_or_default();
        if path.starts_with("/api/") && !is_equal(token, &self.token) {
            return Some((
                StatusCode::UNAUTHORIZED,
                "the token is missing or wrong: open the address that `cargo mcp inspect` prints",
            ));
        }
        None
    }
}

/// Compares in a time that does not depend on where the texts differ.
fn is_equal(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |sum, (a, b)| sum | (a ^ b)) == 0
}

/// Checks a request, and adds the security headers to its response.
pub(crate) async fn check(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let refused = app.access.refuses(request.headers(), request.uri().path());
    let mut response = match refused {
        Some((status, reason)) => (status, reason).into_response(),
        None => next.run(request).await,
    };
    let headers = response.headers_mut();
    for (name, value) in [
        ("content-security-policy", POLICY),
        ("x-content-type-options", "nosniff"),
        ("x-frame-options", "DENY"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
    ] {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(headers: &[(&'static str, &str)], path: &str) -> Option<u16> {
        let access = Access { token: "secret".to_owned(), hosts: ["127.0.0.1:7".to_owned(), "localhost:7".to_owned()] };
        let headers = headers.iter().map(|(name, value)| (HeaderName::from_static(name), value.parse().unwrap()));
        access.refuses(&headers.collect(), path).map(|(status, _)| status.as_u16())
    }

    #[test]
    fn only_the_own_page_with_the_token_is_served() {
        let (host, token) = (("host", "127.0.0.1:7"), ("authorization", "Bearer secret"));
        for (headers, path, status) in [
            (&[host][..], "/", None),
            (&[], "/", Some(421)),
            (&[("host", "evil.test:7")], "/", Some(421)),
            (&[("host", "127.0.0.1:8")], "/", Some(421)),
            (&[host, token], "/api/events", None),
            (&[host, token, ("origin", "http://127.0.0.1:7")], "/api/call", None),
            (&[("host", "localhost:7"), token, ("origin", "http://localhost:7")], "/api/call", None),
            (&[host], "/api/events", Some(401)),
            (&[host, ("authorization", "Bearer secreT")], "/api/events", Some(401)),
            (&[host, ("authorization", "Bearer ")], "/api/events", Some(401)),
            (&[host, token, ("origin", "http://127.0.0.1:8")], "/api/call", Some(403)),
            (&[host, token, ("origin", "http://localhost:7")], "/api/call", Some(403)),
            (&[host, token, ("origin", "https://evil.test")], "/api/call", Some(403)),
            (&[host, token, ("origin", "null")], "/api/call", Some(403)),
            (&[host, ("sec-fetch-site", "cross-site")], "/", Some(403)),
            (&[host, ("sec-fetch-site", "none")], "/", None),
        ] {
            assert_eq!(refused(headers, path), status, "{headers:?} {path}");
        }
    }
}
