//! Who sent a request, as far as limits are concerned: a principal, or the address of a peer.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use http::HeaderMap;
use http::header::FORWARDED;
use http::request::Parts;
use ipnet::IpNet;
use mcp_core::Principal;

/// The header in which most proxies list the addresses that a request came from.
const X_FORWARDED_FOR: &str = "x-forwarded-for";

/// The address of the peer that sent a request: an extension of the request.
///
/// A [`Listener`](crate::Listener) sets it. If the [`Endpoint`](crate::Endpoint) is mounted in another web server, set it there,
/// so that the limits for each client apply to clients without a principal as well:
///
/// ```
/// use axum::extract::{ConnectInfo, Request};
/// use axum::middleware::{self, Next};
/// use mcp_http::PeerAddress;
/// use std::net::SocketAddr;
///
/// async fn set_peer(ConnectInfo(peer): ConnectInfo<SocketAddr>, mut request: Request, next: Next) -> axum::response::Response {
///     request.extensions_mut().insert(PeerAddress(peer.ip()));
///     next.run(request).await
/// }
///
/// let endpoint = mcp_http::Http::new().endpoint(mcp_core::server!())?;
/// let app: axum::Router = axum::Router::new().route_service("/mcp", endpoint).layer(middleware::from_fn(set_peer));
/// // serve with `app.into_make_service_with_connect_info::<SocketAddr>()`
/// # let _ = app;
/// # Ok::<(), mcp_core::BuildError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PeerAddress(pub IpAddr);

/// The header from which the address of a client is read if the request came through a trusted proxy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProxyHeader {
    /// The header `X-Forwarded-For`.
    XForwardedFor,
    /// The header `Forwarded` (RFC 7239).
    Forwarded,
}

/// A peer. IPv6 addresses of the same /64 network are the same peer, because one machine can use all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Peer(IpAddr);

/// What the limits for each client count.
///
/// A principal is one client, whatever its address is, because many users may share an address. A client without a
/// principal is identified by its address.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Client {
    Principal(Box<str>),
    Peer(Peer),
    /// The address is unknown, because the web server around the endpoint did not set it.
    Unknown,
}

/// The proxies whose header is trusted.
#[derive(Clone, Debug)]
pub(crate) struct TrustedProxies {
    header: ProxyHeader,
    networks: Vec<IpNet>,
}

impl Peer {
    pub(crate) fn new(address: IpAddr) -> Peer {
        Peer(match address.to_canonical() {
            IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from(u128::from(address) & !u128::from(u64::MAX))),
            address => address,
        })
    }
}

impl Client {
    /// Returns the client of a request.
    pub(crate) fn of(parts: &Parts, principal: Option<&Principal>, proxies: &TrustedProxies) -> Client {
        if let Some(principal) = principal {
            return Client::Principal(principal.owner().into());
        }
        match parts.extensions.get::<PeerAddress>() {
            Some(PeerAddress(address)) => Client::Peer(Peer::new(proxies.client(*address, &parts.headers))),
            None => Client::Unknown,
        }
    }
}

impl TrustedProxies {
    pub(crate) fn none() -> TrustedProxies {
        TrustedProxies { header: ProxyHeader::XForwardedFor, networks: Vec::new() }
    }

    pub(crate) fn new(header: ProxyHeader, networks: Vec<IpNet>) -> TrustedProxies {
        TrustedProxies { header, networks }
    }

    pub(crate) fn contains(&self, address: IpAddr) -> bool {
        self.networks.iter().any(|network| network.contains(&address.to_canonical()))
    }

    /// Returns the address of the client behind `peer`.
    ///
    /// Each proxy appends the address that it received the request from, and a client can send the header too. So the list is
    /// read from the right, and only as long as each address is one of a trusted proxy: the first other one is the client.
    fn client(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        let mut client = peer;
        let mut addresses = self.addresses(headers).into_iter().rev();
        while self.contains(client) {
            // A proxy that hides the address, or an invalid entry: what is to the left of it cannot be trusted.
            let Some(Some(address)) = addresses.next() else { break };
            client = address;
        }
        client
    }

    /// Returns the addresses in the header, in order; `None` for an entry without an address.
    fn addresses(&self, headers: &HeaderMap) -> Vec<Option<IpAddr>> {
        let (name, parse): (&str, fn(&str) -> Option<IpAddr>) = match self.header {
            ProxyHeader::XForwardedFor => (X_FORWARDED_FOR, address),
            ProxyHeader::Forwarded => (FORWARDED.as_str(), forwarded_for),
        };
        if self.networks.is_empty() {
            return Vec::new();
        }
        let values = headers.get_all(name).iter();
        values.flat_map(|value| value.to_str().unwrap_or("invalid").split(',').map(|entry| parse(entry.trim()))).collect()
    }
}

/// Returns the address of an element such as `for="[2001:db8::1]:8080";proto=https`.
fn forwarded_for(element: &str) -> Option<IpAddr> {
    let mut pairs = element.split(';').filter_map(|pair| pair.trim().split_once('='));
    let (_, node) = pairs.find(|(name, _)| name.eq_ignore_ascii_case("for"))?;
    address(node.trim_matches('"'))
}

/// Parses an address, with or without brackets and port.
fn address(text: &str) -> Option<IpAddr> {
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    let address = bare.parse::<IpAddr>().or_else(|_| text.parse::<SocketAddr>().map(|address| address.ip())).ok()?;
    Some(address.to_canonical())
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn trusted(header: ProxyHeader) -> TrustedProxies {
        TrustedProxies::new(header, vec!["10.0.0.0/8".parse().unwrap(), "127.0.0.1/32".parse().unwrap()])
    }

    fn client(header: ProxyHeader, peer: &str, values: &[&'static str]) -> String {
        let name = match header {
            ProxyHeader::XForwardedFor => X_FORWARDED_FOR,
            ProxyHeader::Forwarded => "forwarded",
        };
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(name, HeaderValue::from_static(value));
        }
        trusted(header).client(peer.parse().unwrap(), &headers).to_string()
    }

    #[test]
    fn the_client_is_the_rightmost_address_that_is_not_a_trusted_proxy() {
        let client = |peer: &str, values: &[&'static str]| client(ProxyHeader::XForwardedFor, peer, values);
        assert_eq!(client("127.0.0.1", &["203.0.113.7"]), "203.0.113.7");
        assert_eq!(client("127.0.0.1", &["1.1.1.1, 203.0.113.7, 10.1.2.3"]), "203.0.113.7");
        assert_eq!(client("127.0.0.1", &["1.1.1.1, 203.0.113.7", "10.1.2.3"]), "203.0.113.7");
        assert_eq!(client("127.0.0.1", &["10.0.0.1, 10.0.0.2"]), "10.0.0.1");
        assert_eq!(client("::ffff:127.0.0.1", &["[2001:db8::1]:443"]), "2001:db8::1");
        assert_eq!(client("127.0.0.1", &["203.0.113.7:4711"]), "203.0.113.7");
    }

    #[test]
    fn the_header_of_a_peer_that_is_not_a_trusted_proxy_is_ignored() {
        assert_eq!(client(ProxyHeader::XForwardedFor, "203.0.113.9", &["127.0.0.1", "1.1.1.1"]), "203.0.113.9");
        assert_eq!(client(ProxyHeader::Forwarded, "203.0.113.9", &["for=1.1.1.1"]), "203.0.113.9");
        let none = TrustedProxies::none();
        let headers = HeaderMap::from_iter([("x-forwarded-for".parse().unwrap(), HeaderValue::from_static("1.1.1.1"))]);
        assert_eq!(none.client("127.0.0.1".parse().unwrap(), &headers).to_string(), "127.0.0.1");
    }

    #[test]
    fn an_entry_without_an_address_ends_the_list() {
        let client = |values: &[&'static str]| client(ProxyHeader::XForwardedFor, "127.0.0.1", values);
        assert_eq!(client(&["1.1.1.1, unknown"]), "127.0.0.1");
        assert_eq!(client(&["1.1.1.1, , 10.0.0.9"]), "10.0.0.9");
        assert_eq!(client(&[]), "127.0.0.1");
    }

    #[test]
    fn the_standard_header_is_read_if_it_is_the_chosen_one() {
        let client = |values: &[&'static str]| client(ProxyHeader::Forwarded, "127.0.0.1", values);
        assert_eq!(
            client(&[r#"for=1.1.1.1, For="[2001:db8::1]:8080";proto=https;by=10.0.0.1, for=10.0.0.2"#]),
            "2001:db8::1"
        );
        assert_eq!(client(&["proto=https;for=192.0.2.60"]), "192.0.2.60");
        assert_eq!(client(&["for=1.1.1.1, for=_hidden"]), "127.0.0.1");
        assert_eq!(client(&["for=1.1.1.1, proto=https"]), "127.0.0.1");
    }

    #[test]
    fn addresses_of_one_ipv6_network_are_one_peer() {
        let peer = |text: &str| Peer::new(text.parse().unwrap());
        assert_eq!(peer("2001:db8:1:2::1"), peer("2001:db8:1:2:ffff:ffff:ffff:ffff"));
        assert_ne!(peer("2001:db8:1:2::1"), peer("2001:db8:1:3::1"));
        assert_eq!(peer("::ffff:192.0.2.1"), peer("192.0.2.1"));
        assert_ne!(peer("192.0.2.1"), peer("192.0.2.2"));
    }
}
