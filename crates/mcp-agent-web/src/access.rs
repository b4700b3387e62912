//! Who may use a hub: hosts, origins, and a token or a function of the program.

use std::fmt;
use std::sync::Arc;

use axum::response::{IntoResponse, Response};
use http::header::{AUTHORIZATION, COOKIE, HOST, ORIGIN};
use http::request::Parts;
use http::{HeaderMap, HeaderValue, StatusCode, Uri};
use mcp_agent::Pending;

/// The start of the name of the cookie with the token.
const TOKEN_COOKIE: &str = "mcp_agent_token";

/// Who may use a hub.
///
/// Without a function, a caller needs the token. The default token is random. The token is sent as
/// `Authorization: Bearer <token>`, or as a cookie that `GET /login?token=<token>` sets, because an `EventSource` cannot send
/// headers.
///
/// In addition, `Host` must be a loopback name or be listed, and requests of web pages must come from the same origin or from
/// one that is listed.
#[derive(Clone)]
pub struct Access {
    token: String,
    function: Option<Arc<Function>>,
    hosts: Vec<String>,
    origins: Vec<String>,
}

type Function = dyn Fn(Caller) -> Pending<'static, bool> + Send + Sync;

/// A request whose permission is decided by the function of [`Access::by`].
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Caller {
    /// The headers of the request.
    pub headers: HeaderMap,
    /// The method of the request.
    pub method: http::Method,
    /// The chat that is used; `None` for the list of sessions, which has the titles of all of them.
    pub chat: Option<String>,
}

impl Default for Access {
    fn default() -> Self {
        Self { token: random_token(), function: None, hosts: Vec::new(), origins: Vec::new() }
    }
}

impl Access {
    /// Requires this token. With an empty token, every request is rejected.
    pub fn token(token: impl Into<String>) -> Self {
        Self { token: token.into(), ..Self::default() }
    }

    /// Asks a function about every request, for programs that have users of their own. It returns whether the caller may use
    /// the chat.
    ///
    /// ```
    /// use mcp_agent_web::Access;
    ///
    /// // A proxy in front of this program authenticates the users and sets the header.
    /// let access = Access::by(|caller| async move { caller.headers.get("x-user").is_some_and(|user| user == "ada") });
    /// ```
    pub fn by<F, A>(function: F) -> Self
    where
        F: Fn(Caller) -> A + Send + Sync + 'static,
        A: Future<Output = bool> + Send + 'static,
    {
        let function: Arc<Function> = Arc::new(move |caller| Box::pin(function(caller)));
        Self { function: Some(function), ..Self::default() }
    }

    /// Also accepts these values of `Host`, with or without a port. Required if the program listens on other addresses than
    /// loopback.
    #[must_use]
    pub fn allow_hosts(mut self, hosts: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.hosts.extend(hosts.into_iter().map(Into::into));
        self
    }

    /// Also accepts requests of pages of these origins, such as `https://chat.example.com`.
    #[must_use]
    pub fn allow_origins(mut self, origins: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.origins.extend(origins.into_iter().map(Into::into));
        self
    }

    /// Returns the token, or `None` if a function decides.
    pub(crate) fn shown_token(&self) -> Option<&str> {
        self.function.is_none().then_some(self.token.as_str())
    }

    /// Checks `Host` and the origin.
    pub(crate) fn check_origin(&self, request: &Parts) -> Result<(), Denied> {
        let mut hosts = request.headers.get_all(HOST).iter();
        let host = match (hosts.next().map(HeaderValue::to_str), hosts.next(), request.uri.authority()) {
            (Some(Ok(host)), None, None) => host.to_owned(),
            (_, None, Some(authority)) => authority.as_str().to_owned(),
            _ => return Err(Denied::Host),
        };
        let listed = |name: &str| self.hosts.iter().any(|allowed| allowed.eq_ignore_ascii_case(name));
        if !is_loopback(name_of(&host)) && !listed(&host) && !listed(name_of(&host)) {
            return Err(Denied::Host);
        }
        let is_same = |origin: &str| {
            let authority = origin.split_once("://").map(|(_, authority)| authority);
            authority.is_some_and(|authority| authority.eq_ignore_ascii_case(&host))
        };
        let is_listed = |origin: &str| self.origins.iter().any(|allowed| allowed.eq_ignore_ascii_case(origin));
        let origins: Vec<_> =
            request.headers.get_all(ORIGIN).iter().map(|origin| origin.to_str().unwrap_or_default()).collect();
        if !origins.iter().all(|origin| is_same(origin) || is_listed(origin)) {
            return Err(Denied::Origin);
        }
        // A browser sends no `Origin` with some requests of the same site, but it always says where they come from.
        let site = request.headers.get("sec-fetch-site").map(|site| site.to_str().unwrap_or_default());
        match site {
            Some("cross-site" | "same-site" | "") if origins.is_empty() => Err(Denied::Origin),
            _ => Ok(()),
        }
    }

    /// Checks the token, or asks the function.
    pub(crate) async fn check_caller(&self, request: &Parts, chat: Option<&str>) -> Result<(), Denied> {
        let is_allowed = match &self.function {
            Some(function) => {
                let (headers, method) = (request.headers.clone(), request.method.clone());
                function(Caller { headers, method, chat: chat.map(str::to_owned) }).await
            }
            None => sent_tokens(&request.headers).any(|token| self.is_token(token)),
        };
        if is_allowed { Ok(()) } else { Err(Denied::Caller) }
    }

    /// Compares without stopping at the first difference, so that the time that it takes does not depend on the token.
    pub(crate) fn is_token(&self, token: &str) -> bool {
        let (sent, own) = (token.as_bytes(), self.token.as_bytes());
        !own.is_empty()
            && self.function.is_none()
            && sent.len() == own.len()
            && sent.iter().zip(own).fold(0, |difference, (a, b)| difference | (a ^ b)) == 0
    }
}

/// Why a request is denied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Denied {
    Host,
    Origin,
    Caller,
}

impl IntoResponse for Denied {
    fn into_response(self) -> Response {
        let (status, message) = match self {
            Self::Host => (StatusCode::FORBIDDEN, "this host name is not allowed: add it with Access::allow_hosts"),
            Self::Origin => {
                (StatusCode::FORBIDDEN, "pages of this origin are not allowed: add it with Access::allow_origins")
            }
            Self::Caller => {
                (StatusCode::UNAUTHORIZED, "the token is missing or wrong: open the address that the program printed")
            }
        };
        (status, message).into_response()
    }
}

fn sent_tokens(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    let bearer = headers.get_all(AUTHORIZATION).iter().filter_map(|value| value.to_str().ok()?.strip_prefix("Bearer "));
    let cookies = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(';'));
    let cookie = cookies.filter_map(|cookie| {
        let (name, token) = cookie.trim().split_once('=')?;
        (name.strip_prefix(TOKEN_COOKIE)?.bytes().all(|byte| byte == b'_' || byte.is_ascii_digit())).then_some(token)
    });
    bearer.chain(cookie)
}

/// Returns the cookie that stores the token after the login. The browser sends it only to the folder of the hub.
///
/// Cookies do not belong to a port, but to a host. So the port is part of the name: otherwise two programs on the same machine
/// would overwrite each other's token.
pub(crate) fn token_cookie(headers: &HeaderMap, login: &Uri, token: &str) -> String {
    let host = headers.get(HOST).and_then(|host| host.to_str().ok()).or(login.authority().map(|host| host.as_str()));
    let port = host.and_then(|host| host[name_of(host).len()..].strip_prefix(':')).filter(|port| !port.is_empty());
    let port = port.map(|port| format!("_{port}")).unwrap_or_default();
    let folder = login.path().rsplit_once('/').map_or("", |(folder, _)| folder);
    format!("{TOKEN_COOKIE}{port}={token}; Path={folder}/; HttpOnly; SameSite=Strict")
}

/// Returns a host without its port.
fn name_of(host: &str) -> &str {
    // The brackets of an IPv6 address end before its port.
    match host.rfind([':', ']']) {
        Some(place) if host.as_bytes()[place] == b':' => &host[..place],
        _ => host,
    }
}

fn is_loopback(name: &str) -> bool {
    let name = name.trim_start_matches('[').trim_end_matches(']');
    name.eq_ignore_ascii_case("localhost") || name.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// Returns a random token with 128 bits.
fn random_token() -> String {
    // If the operating system provides no random numbers, the token is empty. `is_token` rejects every request then.
    mcp_core::transport::random_id().unwrap_or_default()
}

/// Returns the path of the page after the login: the folder of the hub's parent.
pub(crate) fn after_login(uri: &Uri) -> String {
    let folder = uri.path().rsplit_once('/').map_or("", |(folder, _)| folder);
    // A path with two slashes at its start would be the address of another host.
    let parent = folder.rsplit_once('/').map_or("", |(parent, _)| parent).trim_start_matches('/');
    if parent.is_empty() { "/".to_owned() } else { format!("/{parent}/") }
}

impl fmt::Debug for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Without the token.
        f.debug_struct("Access").field("hosts", &self.hosts).field("origins", &self.origins).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(headers: &[(&'static str, &str)]) -> Parts {
        let mut request = http::Request::builder().uri("/chats");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        request.body(()).unwrap().into_parts().0
    }

    #[test]
    fn only_loopback_hosts_and_the_same_origin_are_accepted() {
        let access = Access::token("t").allow_hosts(["chat.example.com"]).allow_origins(["https://app.example.com"]);
        let check = |headers: &[(&'static str, &str)]| access.check_origin(&request(headers));
        for headers in [
            &[("host", "127.0.0.1:80")][..],
            &[("host", "localhost:80"), ("origin", "http://localhost:80"), ("sec-fetch-site", "same-origin")],
            &[("host", "[::1]:80")],
            &[("host", "chat.example.com:443"), ("sec-fetch-site", "none")],
            &[("host", "localhost"), ("origin", "https://app.example.com"), ("sec-fetch-site", "cross-site")],
        ] {
            assert_eq!(check(headers), Ok(()), "{headers:?}");
        }
        for (headers, denied) in [
            (&[][..], Denied::Host),
            (&[("host", "evil.example.com")], Denied::Host),
            (&[("host", "127.0.0.1.evil.example.com")], Denied::Host),
            (&[("host", "localhost"), ("host", "localhost")], Denied::Host),
            (&[("host", "localhost:80"), ("origin", "http://localhost:81")], Denied::Origin),
            (&[("host", "localhost"), ("origin", "https://evil.example.com")], Denied::Origin),
            (&[("host", "localhost"), ("origin", "null")], Denied::Origin),
            (&[("host", "localhost"), ("sec-fetch-site", "cross-site")], Denied::Origin),
            (&[("host", "localhost"), ("sec-fetch-site", "same-site")], Denied::Origin),
        ] {
            assert_eq!(check(headers), Err(denied), "{headers:?}");
        }
    }

    #[tokio::test]
    async fn a_token_is_required_in_a_header_or_a_cookie() {
        let access = Access::token("secret");
        for headers in [
            &[("authorization", "Bearer secret")][..],
            &[("cookie", "a=b; mcp_agent_token=secret; c=d")],
            // Another program on the same machine has a cookie too.
            &[("cookie", "mcp_agent_token_81=other; mcp_agent_token_80=secret")],
        ] {
            assert_eq!(access.check_caller(&request(headers), None).await, Ok(()), "{headers:?}");
        }
        for headers in [
            &[][..],
            &[("authorization", "secret")],
            &[("authorization", "Bearer secre")],
            &[("authorization", "Bearer ")],
            &[("cookie", "other=secret")],
            &[("cookie", "mcp_agent_tokensecret")],
            &[("cookie", "mcp_agent_token_80")],
            &[("cookie", "mcp_agent_token_80=secre")],
            &[("cookie", "mcp_agent_token_other=secret")],
        ] {
            assert_eq!(access.check_caller(&request(headers), None).await, Err(Denied::Caller), "{headers:?}");
        }
        assert_ne!(Access::default().shown_token(), Access::default().shown_token());
    }

    #[tokio::test]
    async fn with_an_empty_token_every_request_is_rejected() {
        let access = Access::token("");
        for headers in [
            &[][..],
            &[("authorization", "Bearer ")],
            &[("authorization", "Bearer")],
            &[("cookie", "mcp_agent_token=")],
            &[("cookie", "mcp_agent_token_80=")],
        ] {
            assert_eq!(access.check_caller(&request(headers), None).await, Err(Denied::Caller), "{headers:?}");
        }
        assert!(!access.is_token(""));
    }

    #[test]
    fn the_cookie_belongs_to_the_port_and_the_folder_of_the_hub() {
        let cookie = |host, path: &str| token_cookie(&request(&[("host", host)]).headers, &path.parse().unwrap(), "t");
        let rest = "HttpOnly; SameSite=Strict";
        assert_eq!(
            cookie("localhost:8080", "/agent/login?token=t"),
            format!("mcp_agent_token_8080=t; Path=/agent/; {rest}")
        );
        assert_eq!(cookie("[::1]:80", "/login"), format!("mcp_agent_token_80=t; Path=/; {rest}"));
        assert_eq!(cookie("chat.example.com", "/a/b/login"), format!("mcp_agent_token=t; Path=/a/b/; {rest}"));
    }

    #[test]
    fn the_login_leads_to_the_folder_of_the_page() {
        let after = |path: &str| after_login(&path.parse().unwrap());
        assert_eq!(after("/agent/login?token=x"), "/");
        assert_eq!(after("/tools/agent/login"), "/tools/");
        assert_eq!(after("/login"), "/");
        assert_eq!(after("//evil.example.com/x/login"), "/evil.example.com/");
    }
}
