//! Who may knock: the allow-lists against web pages that reach for local servers (DNS rebinding).

use std::net::IpAddr;

use http::header::{HOST, ORIGIN};
use http::request::Parts;
use http::{HeaderValue, StatusCode};

use crate::refusal::Refusal;

/// The hosts that we answer to and the origins that may call us.
///
/// A browser that was tricked into resolving a foreign name to our address still sends that name as `Host`, and the page
/// that sent it as `Origin`. Loopback is always allowed: who can name it is on this machine.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gate {
    pub(crate) any_host: bool,
    pub(crate) hosts: Vec<String>,
    pub(crate) origins: Vec<String>,
}

impl Gate {
    pub(crate) fn check(&self, request: &Parts) -> Result<(), Refusal> {
        let forbidden = |what: &str| Refusal::new(StatusCode::FORBIDDEN, format!("this {what} is not on the allow-list"));
        let named = request.headers.get_all(HOST).iter().map(HeaderValue::as_bytes);
        let mut hosts = named.chain(request.uri.authority().map(|authority| authority.as_str().as_bytes())).peekable();
        if !self.any_host && (hosts.peek().is_none() || !hosts.all(|host| self.allows_host(host))) {
            return Err(forbidden("host"));
        }
        match request.headers.get_all(ORIGIN).iter().all(|origin| self.allows_origin(origin.as_bytes())) {
            true => Ok(()),
            false => Err(forbidden("origin")),
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

fn is_loopback(name: &str) -> bool {
    let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
    name.eq_ignore_ascii_case("localhost") || bare.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use http::Request;

    use super::*;

    fn admits(gate: &Gate, host: &str, origin: Option<&str>) -> bool {
        let mut request = Request::builder().header(HOST, host);
        if let Some(origin) = origin {
            request = request.header(ORIGIN, origin);
        }
        gate.check(&request.body(()).unwrap().into_parts().0).is_ok()
    }

    #[test]
    fn only_loopback_is_admitted_unless_told_otherwise() {
        let gate = Gate::default();
        for host in ["localhost", "localhost:80", "LOCALHOST:8080", "127.0.0.1:1", "127.9.9.9", "[::1]", "[::1]:8080"] {
            assert!(admits(&gate, host, None), "{host}");
        }
        for host in ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example:80", "evil.example:80", "", "[::2]"] {
            assert!(!admits(&gate, host, None), "{host}");
        }
        for origin in ["http://localhost:3000", "https://127.0.0.1", "http://[::1]:5173"] {
            assert!(admits(&gate, "localhost", Some(origin)), "{origin}");
        }
        for origin in
            ["http://evil.example", "null", "", "http://localhost.evil.example", "file://", "http://evil@localhost"]
        {
            assert!(!admits(&gate, "localhost", Some(origin)), "{origin}");
        }
    }

    #[test]
    fn listed_hosts_and_origins_are_admitted_with_their_port() {
        let hosts = vec!["mcp.example".to_owned(), "other.example:8443".to_owned()];
        let gate = Gate { any_host: false, hosts, origins: vec!["https://app.example".into()] };
        assert!(admits(&gate, "mcp.example", None) && admits(&gate, "mcp.example:443", Some("https://app.example")));
        assert!(admits(&gate, "other.example:8443", None) && !admits(&gate, "other.example", None));
        assert!(!admits(&gate, "mcp.example", Some("http://app.example")));
    }

    #[test]
    fn a_request_that_names_no_host_or_a_second_one_is_not_admitted() {
        let none = Request::builder().body(()).unwrap().into_parts().0;
        assert!(Gate::default().check(&none).is_err());
        let two = Request::builder().header(HOST, "localhost").header(HOST, "evil.example").body(()).unwrap();
        assert!(Gate::default().check(&two.into_parts().0).is_err());
        let absolute = Request::builder().uri("http://evil.example/mcp").header(HOST, "localhost").body(()).unwrap();
        assert!(Gate::default().check(&absolute.into_parts().0).is_err());
    }
}
