//! Which network addresses the client connects to because a server names them.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use url::{Host, Url};

/// How far a request may reach. Each value includes those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reach {
    /// Addresses of the internet.
    Public,
    /// Also addresses of private networks.
    Private,
    /// Also this machine.
    Loopback,
}

impl Reach {
    /// The reach of a server: one on this machine may name other servers on it.
    ///
    /// A host name counts as public, because whoever controls its DNS record could make it anything else.
    pub(super) fn of_server(url: &Url) -> Reach {
        match address_of(url) {
            Some(address) => Reach::of(address).unwrap_or(Reach::Public),
            None if is_loopback(url) => Reach::Loopback,
            None => Reach::Public,
        }
    }

    /// The reach that a connection to the address needs. `None`: never allowed, as for the metadata services of clouds.
    pub(super) fn of(address: IpAddr) -> Option<Reach> {
        match address {
            IpAddr::V4(address) => of_v4(address),
            IpAddr::V6(address) => of_v6(address),
        }
    }

    pub(super) fn allows(self, address: IpAddr) -> bool {
        Reach::of(address).is_some_and(|needed| needed <= self)
    }
}

/// Whether the host is this machine: `localhost`, or an address such as 127.0.0.1 and `::1`.
pub(super) fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        _ => address_of(url).is_some_and(|address| Reach::of(address) == Some(Reach::Loopback)),
    }
}

/// The address, if the host is not a name.
pub(super) fn address_of(url: &Url) -> Option<IpAddr> {
    match url.host()? {
        Host::Domain(_) => None,
        Host::Ipv4(address) => Some(address.into()),
        Host::Ipv6(address) => Some(address.into()),
    }
}

fn of_v4(address: Ipv4Addr) -> Option<Reach> {
    match address.octets() {
        [127, ..] => Some(Reach::Loopback),
        // Link-local (metadata services), this network, protocol assignments, multicast and reserved.
        [169, 254, ..] | [0, ..] | [192, 0, 0, _] | [224..=255, ..] => None,
        // A metadata service in a private range.
        [100, 100, 100, 200] => None,
        [10, ..] | [172, 16..=31, ..] | [192, 168, ..] | [100, 64..=127, ..] | [198, 18..=19, ..] => Some(Reach::Private),
        _ => Some(Reach::Public),
    }
}

fn of_v6(address: Ipv6Addr) -> Option<Reach> {
    let segments = address.segments();
    let embedded = |high: u16, low: u16| of_v4(Ipv4Addr::from((u32::from(high) << 16) | u32::from(low)));
    match segments {
        [0, 0, 0, 0, 0, 0, 0, 1] => Some(Reach::Loopback),
        // IPv4 addresses: mapped, compatible, NAT64, 6to4.
        [0, 0, 0, 0, 0, 0xffff | 0, high, low] | [0x64, 0xff9b, 0, 0, 0, 0, high, low] | [0x2002, high, low, ..] => {
            embedded(high, low)
        }
        // A metadata service in a private range.
        [0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254] => None,
        [0xfc00..=0xfdff, ..] => Some(Reach::Private),
        // Link-local, site-local and multicast.
        [0xfe80..=0xffff, ..] => None,
        _ => Some(Reach::Public),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_metadata_services_are_never_reached() {
        for address in
            ["169.254.169.254", "::ffff:169.254.169.254", "fe80::1", "fd00:ec2::254", "0.0.0.0", "::", "100.100.100.200"]
        {
            assert!(!Reach::Loopback.allows(address.parse().unwrap()), "{address}");
        }
    }

    #[test]
    fn private_and_loopback_addresses_need_their_reach() {
        for (address, reach) in [
            ("1.1.1.1", Reach::Public),
            ("2606:4700::1111", Reach::Public),
            ("10.0.0.1", Reach::Private),
            ("172.31.0.1", Reach::Private),
            ("fd12::1", Reach::Private),
            ("127.9.9.9", Reach::Loopback),
            ("::1", Reach::Loopback),
            ("::ffff:127.0.0.1", Reach::Loopback),
            ("64:ff9b::7f00:1", Reach::Loopback),
            ("2002:a00:1::", Reach::Private),
        ] {
            assert_eq!(Reach::of(address.parse().unwrap()), Some(reach), "{address}");
        }
    }

    #[test]
    fn only_addresses_in_the_url_give_a_server_more_reach() {
        for (url, reach) in [
            ("https://example.com/", Reach::Public),
            ("http://localhost:1/", Reach::Loopback),
            ("http://[::1]/", Reach::Loopback),
            ("http://192.168.0.1/", Reach::Private),
        ] {
            assert_eq!(Reach::of_server(&Url::parse(url).unwrap()), reach, "{url}");
        }
    }
}
