//! The allow-lists for `Host` and `Origin`, which protect local servers from web pages (DNS rebinding).

use std::net::IpAddr;

use http::header::{HOST, ORIGIN};
use http::request::Parts;
use http::{HeaderValue, StatusCode, Version};

use crate::responses::Refusal;

/// The values of `Host` and `Origin` that are accepted.
///
/// In a DNS rebinding attack, a web page makes its own domain resolve to the address of this server. The browser still sends
/// that domain as `Host`, and the address of the page as `Origin`, so both can be checked. Loopback names are always accepted:
/// an attacker cannot make a browser send them for a page from elsewhere.
#[derive(Clone, Debug, Default)]
pub(crate) struct AllowList {
    pub(crate) any_host: bool,
    pub(crate) hosts: Vec<String>,
    pub(crate) origins: Vec<String>,
}

impl AllowList {
    /// Refuses a request with a host or an origin that is not accepted, without a host, or with more than one host.
    pub(crate) fn check(&self, request: &Parts) -> Result<(), Refusal> {
        let hosts_sent = request.headers.get_all(HOST).iter().count();
        let is_missing = hosts_sent == 0 && request.uri.authority().is_none() && request.version > Version::HTTP_10;
        if is_missing || hosts_sent > 1 {
            return Err(Refusal::new(StatusCode::BAD_REQUEST, "a request must have exactly one header `Host`"));
        }
        let forbidden = |header: &str, fix: &str| {
            Refusal::new(
                StatusCode::FORBIDDEN,
                format!("the header `{header}` is not on the allow-list: add it with `{fix}`"),
            )
        };
        let from_header = request.headers.get_all(HOST).iter().map(HeaderValue::as_bytes);
        let mut hosts = from_header.chain(request.uri.authority().map(|authority| authority.as_str().as_bytes())).peekable();
        if !self.any_host && (hosts.peek().is_none() || !hosts.all(|host| self.allows_host(host))) {
            return Err(forbidden("Host", "Http::allow_hosts"));
        }
        match request.headers.get_all(ORIGIN).iter().all(|origin| self.allows_origin(origin.as_bytes())) {
            true => Ok(()),
            false => Err(forbidden("Origin", "Http::allow_origins")),
        }
    }

    fn allows_host(&self, host: &[u8]) -> bool {
        let Ok(host) = std::str::from_utf8(host) else { return false };
        let name = without_port(host);
        let listed = |allowed: &String| allowed.eq_ignore_ascii_case(host) || allowed.eq_ignore_ascii_case(name);
        is_loopback(name) || self.hosts.iter().any(listed)
    }

    fn allows_origin(&self, origin: &[u8]) -> bool {
        let Ok(origin) = std::str::from_utf8(origin) else { return false };
        let host = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        host.is_some_and(|host| is_loopback(without_port(host)))
            || self.origins.iter().any(|allowed| allowed.eq_ignore_ascii_case(origin))
    }
}

/// Returns a host without its port. Keeps the colons of an IPv6 address.
fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port))
            if port.bytes().all(|byte| byte.is_ascii_digit()) && (!name.contains(':') || name.ends_with(']')) =>
        {
            name
        }
        _ => host,
    }
}

/// Returns whether a host name or address (IPv6 in brackets) is loopback.
fn is_loopback(name: &str) -> bool {
    let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
    name.eq_ignore_ascii_case("localhost") || bare.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use http::Request;

    use super::*;

    fn accepts(list: &AllowList, host: &str, origin: Option<&str>) -> bool {
        let mut request = Request::builder().header(HOST, host);
        if let Some(origin) = origin {
            request = request.header(ORIGIN, origin);
        }
        list.check(&request.body(()).unwrap().into_parts().0).is_ok()
    }

    #[test]
    fn only_loopback_is_accepted_by_default() {
        let list = AllowList::default();
        for host in ["localhost", "localhost:80", "LOCALHOST:8080", "127.0.0.1:1", "127.9.9.9", "[::1]", "[::1]:8080"] {
            assert!(accepts(&list, host, None), "{host}");
        }
        for host in ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example:80", "evil.example:80", "", "[::2]"] {
            assert!(!accepts(&list, host, None), "{host}");
        }
        for origin in ["http://localhost:3000", "https://127.0.0.1", "http://[::1]:5173"] {
            assert!(accepts(&list, "localhost", Some(origin)), "{origin}");
        }
        for origin in
            ["http://evil.example", "null", "", "http://localhost.evil.example", "file://", "http://evil@localhost"]
        {
            assert!(!accepts(&list, "localhost", Some(origin)), "{origin}");
        }
    }

    #[test]
    fn listed_hosts_and_origins_are_accepted() {
        let hosts = vec!["mcp.example".to_owned(), "other.example:8443".to_owned()];
        let list = AllowList { any_host: false, hosts, origins: vec!["https://app.example".into()] };
        assert!(accepts(&list, "mcp.example", None) && accepts(&list, "mcp.example:443", Some("https://app.example")));
        assert!(accepts(&list, "other.example:8443", None) && !accepts(&list, "other.example", None));
        assert!(!accepts(&list, "mcp.example", Some("http://app.example")));
    }

    #[test]
    fn a_request_without_a_host_or_with_another_host_in_its_target_is_refused() {
        let none = Request::builder().body(()).unwrap().into_parts().0;
        assert!(AllowList::default().check(&none).is_err());
        let old = Request::builder().version(Version::HTTP_10).body(()).unwrap().into_parts().0;
        assert!(AllowList::default().check(&old).is_err());
        let absolute = Request::builder().uri("http://evil.example/mcp").header(HOST, "localhost").body(()).unwrap();
        assert!(AllowList::default().check(&absolute.into_parts().0).is_err());
    }
}
