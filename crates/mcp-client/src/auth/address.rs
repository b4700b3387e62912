//! Which network addresses a server may make the client connect to.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use url::{Host, Url};

/// Which addresses a request may connect to. Each value includes the ones before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum AddressScope {
    /// Addresses of the internet.
    Public,
    /// Addresses of the internet and of private networks.
    Private,
    /// Addresses of the internet, of private networks and of this machine.
    Loopback,
}

impl AddressScope {
    /// Returns the scope for URLs that this server names. A server on this machine may name local URLs.
    ///
    /// A host name counts as public, because the owner of its DNS record can choose any address.
    pub(super) fn of_server(url: &Url) -> AddressScope {
        match address_of(url) {
            Some(address) => AddressScope::of(address).unwrap_or(AddressScope::Public),
            None if is_loopback(url) => AddressScope::Loopback,
            None => AddressScope::Public,
        }
    }

    /// Returns the scope that is needed to connect to the address. `None`: never allowed, as for the metadata services of clouds.
    pub(super) fn of(address: IpAddr) -> Option<AddressScope> {
        match address {
            IpAddr::V4(address) => of_v4(address),
            IpAddr::V6(address) => of_v6(address),
        }
    }

    pub(super) fn allows(self, address: IpAddr) -> bool {
        AddressScope::of(address).is_some_and(|needed| needed <= self)
    }
}

/// Returns whether the host is this machine: `localhost`, or an address such as 127.0.0.1 and `::1`.
pub(super) fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        _ => address_of(url).is_some_and(|address| AddressScope::of(address) == Some(AddressScope::Loopback)),
    }
}

/// Returns the address, if the host is not a name.
pub(super) fn address_of(url: &Url) -> Option<IpAddr> {
    match url.host()? {
        Host::Domain(_) => None,
        Host::Ipv4(address) => Some(address.into()),
        Host::Ipv6(address) => Some(address.into()),
    }
}

fn of_v4(address: Ipv4Addr) -> Option<AddressScope> {
    match address.octets() {
        [127, ..] => Some(AddressScope::Loopback),
        // Link-local (metadata services), this network, protocol assignments, multicast and reserved.
        [169, 254, ..] | [0, ..] | [192, 0, 0, _] | [224..=255, ..] => None,
        // A metadata service in a private range.
        [100, 100, 100, 200] => None,
        [10, ..] | [172, 16..=31, ..] | [192, 168, ..] | [100, 64..=127, ..] | [198, 18..=19, ..] => {
            Some(AddressScope::Private)
        }
        _ => Some(AddressScope::Public),
    }
}

fn of_v6(address: Ipv6Addr) -> Option<AddressScope> {
    let segments = address.segments();
    let embedded = |high: u16, low: u16| of_v4(Ipv4Addr::from((u32::from(high) << 16) | u32::from(low)));
    match segments {
        [0, 0, 0, 0, 0, 0, 0, 1] => Some(AddressScope::Loopback),
        // IPv4 addresses: mapped, compatible, translated, NAT64, 6to4.
        [0, 0, 0, 0, 0, 0xffff | 0, high, low]
        | [0, 0, 0, 0, 0xffff, 0, high, low]
        | [0x64, 0xff9b, 0, 0, 0, 0, high, low]
        | [0x2002, high, low, ..] => embedded(high, low),
        // NAT64 prefixes of a network, whose IPv4 address can be anywhere in the rest, and Teredo.
        [0x64, 0xff9b, 1, ..] | [0x2001, 0, ..] => None,
        // Metadata services in private ranges.
        [0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254] | [0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254] => None,
        [0xfc00..=0xfdff, ..] => Some(AddressScope::Private),
        // Link-local, site-local and multicast.
        [0xfe80..=0xffff, ..] => None,
        _ => Some(AddressScope::Public),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_metadata_services_and_of_no_host_are_never_reached() {
        for address in [
            "169.254.169.254",
            "::ffff:169.254.169.254",
            "::ffff:0:169.254.169.254",
            "64:ff9b::169.254.169.254",
            "64:ff9b:1::169.254.169.254",
            "2002:a9fe:a9fe::",
            "2001::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
            "fd00:ec2::254",
            "fd20:ce::254",
            "0.0.0.0",
            "::",
            "192.0.0.192",
            "224.0.0.1",
            "255.255.255.255",
            "100.100.100.200",
        ] {
            assert!(!AddressScope::Loopback.allows(address.parse().unwrap()), "{address}");
        }
    }

    #[test]
    fn each_scope_allows_its_addresses_and_those_of_the_scopes_before_it() {
        let scopes = [AddressScope::Public, AddressScope::Private, AddressScope::Loopback];
        let addresses = ["1.1.1.1", "10.0.0.1", "127.0.0.1"];
        for (place, scope) in scopes.into_iter().enumerate() {
            for (needed, address) in addresses.iter().enumerate() {
                assert_eq!(scope.allows(address.parse().unwrap()), needed <= place, "{scope:?}, {address}");
            }
        }
    }

    #[test]
    fn private_and_loopback_addresses_need_their_reach() {
        for (address, reach) in [
            ("1.1.1.1", AddressScope::Public),
            ("172.15.0.1", AddressScope::Public),
            ("172.32.0.1", AddressScope::Public),
            ("192.167.0.1", AddressScope::Public),
            ("192.0.1.1", AddressScope::Public),
            ("100.128.0.1", AddressScope::Public),
            ("198.20.0.1", AddressScope::Public),
            ("223.255.255.255", AddressScope::Public),
            ("2606:4700::1111", AddressScope::Public),
            ("10.0.0.1", AddressScope::Private),
            ("172.31.0.1", AddressScope::Private),
            ("192.168.1.1", AddressScope::Private),
            ("100.64.0.1", AddressScope::Private),
            ("198.19.0.1", AddressScope::Private),
            ("fd12::1", AddressScope::Private),
            ("127.9.9.9", AddressScope::Loopback),
            ("::1", AddressScope::Loopback),
            ("::ffff:127.0.0.1", AddressScope::Loopback),
            ("64:ff9b::7f00:1", AddressScope::Loopback),
            ("2002:a00:1::", AddressScope::Private),
        ] {
            assert_eq!(AddressScope::of(address.parse().unwrap()), Some(reach), "{address}");
        }
    }

    #[test]
    fn only_addresses_in_the_url_give_a_server_more_reach() {
        for (url, reach) in [
            ("https://example.com/", AddressScope::Public),
            ("http://localhost:1/", AddressScope::Loopback),
            ("http://[::1]/", AddressScope::Loopback),
            ("http://192.168.0.1/", AddressScope::Private),
            ("http://169.254.169.254/", AddressScope::Public),
            ("http://mcp.localhost/", AddressScope::Loopback),
            ("http://localhost.example.com/", AddressScope::Public),
            ("http://notlocalhost/", AddressScope::Public),
        ] {
            assert_eq!(AddressScope::of_server(&Url::parse(url).unwrap()), reach, "{url}");
        }
    }
}
