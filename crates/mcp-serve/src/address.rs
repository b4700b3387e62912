//! The address to listen on.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, ToSocketAddrs};

/// Returns the addresses that a text names: a port of the loopback address, or an address or a host name with a port.
pub(crate) fn resolve(text: &str) -> Result<Vec<SocketAddr>, String> {
    if let Ok(port) = text.parse::<u16>() {
        return Ok(vec![SocketAddr::from((Ipv4Addr::LOCALHOST, port))]);
    }
    let invalid = |reason: &str| {
        format!("`--http {text}`: {reason}; write a port such as 8080, or an address with a port such as 127.0.0.1:8080")
    };
    if text.contains('/') {
        return Err(invalid("this is not an address"));
    }
    if text.starts_with(':') {
        return Err(invalid("the host is missing (0.0.0.0 is every address of this machine)"));
    }
    let addresses = text.to_socket_addrs().map_err(|error| invalid(&error.to_string()))?;
    let addresses: Vec<SocketAddr> = addresses.collect();
    if addresses.is_empty() { Err(invalid("the name has no address")) } else { Ok(addresses) }
}

/// Returns whether only this machine can reach the address.
pub(crate) fn is_local(address: SocketAddr) -> bool {
    address.ip().to_canonical().is_loopback()
}

/// Returns the address as clients on this machine reach it: instead of "every address", the loopback address.
pub(crate) fn reachable(address: SocketAddr) -> SocketAddr {
    let mut reachable = address;
    match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => reachable.set_ip(IpAddr::V4(Ipv4Addr::LOCALHOST)),
        IpAddr::V6(ip) if ip.is_unspecified() => reachable.set_ip(IpAddr::V6(std::net::Ipv6Addr::LOCALHOST)),
        _ => {}
    }
    reachable
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_a_port_of_the_loopback_address() {
        assert_eq!(resolve("8080"), Ok(vec!["127.0.0.1:8080".parse().unwrap()]));
        assert_eq!(resolve("[::1]:80"), Ok(vec!["[::1]:80".parse().unwrap()]));
    }

    #[test]
    fn a_text_that_is_not_an_address_is_refused_with_the_valid_forms() {
        for text in [":8080", "http://localhost:8080", "localhost", "70000", "", "1.2.3.4:x"] {
            assert!(resolve(text).unwrap_err().contains("127.0.0.1:8080"), "{text}");
        }
    }

    #[test]
    fn only_loopback_addresses_are_local() {
        for (address, local) in [
            ("127.0.0.1:1", true),
            ("127.9.9.9:1", true),
            ("[::1]:1", true),
            ("[::ffff:127.0.0.1]:1", true),
            ("0.0.0.0:1", false),
            ("[::]:1", false),
            ("192.168.1.5:1", false),
        ] {
            assert_eq!(is_local(address.parse().unwrap()), local, "{address}");
        }
    }
}
