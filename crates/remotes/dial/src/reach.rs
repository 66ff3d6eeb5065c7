//! The addresses that a request may go to.
//!
//! Some requests go where a foreign document says, such as a certificate. [`Reach::Remote`] keeps
//! them away from the services of this machine: loopback, link-local addresses, and the metadata
//! service of a cloud. The resolver checks the addresses that it returns, and the connection uses
//! these. So a name cannot hide such an address, nor change between check and use.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use url::{Host, Url};

/// Metadata services of clouds outside of the link-local range: Alibaba, Azure, Oracle.
const METADATA_V4: [Ipv4Addr; 3] = [
    Ipv4Addr::new(100, 100, 100, 200),
    Ipv4Addr::new(168, 63, 129, 16),
    Ipv4Addr::new(192, 0, 0, 192),
];
/// The same for IPv6: AWS, Google Cloud.
const METADATA_V6: [Ipv6Addr; 2] = [
    Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254),
    Ipv6Addr::new(0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254),
];

/// The addresses that a client may connect to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Reach {
    /// Every address.
    #[default]
    Any,
    /// No address of the machine, its link, or the metadata service of its cloud. A host that is an
    /// address is not resolved: check it with [`has_local_host`]. A proxy resolves names itself, so
    /// its own address is not checked: see [`Dial::for_target`](crate::Dial::for_target).
    Remote,
}

/// A name has a local address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the address {0} is local to the machine or its network")]
pub(crate) struct LocalAddress(pub(crate) IpAddr);

/// Whether an address belongs to the machine, its link, or the metadata service of its cloud.
pub(crate) fn is_local(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_local_v4(address),
        IpAddr::V6(address) => {
            address.is_loopback()
                || address.is_unicast_link_local()
                || address.is_multicast()
                || METADATA_V6.contains(&address)
                || embedded(address).is_some_and(is_local_v4)
        }
    }
}

/// Whether the host of a URL is a local address.
pub fn has_local_host(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(address)) => is_local(address.into()),
        Some(Host::Ipv6(address)) => is_local(address.into()),
        Some(Host::Domain(_)) | None => false,
    }
}

/// Whether the host of a URL is a loopback address.
pub fn has_loopback_host(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(_)) | None => false,
    }
}

fn is_local_v4(address: Ipv4Addr) -> bool {
    // Any address that begins with zero means this machine.
    address.octets()[0] == 0
        || address.is_loopback()
        || address.is_link_local()
        || address.is_multicast()
        || address.is_broadcast()
        || METADATA_V4.contains(&address)
}

/// The IPv4 address in a mapped, compatible or translated one.
fn embedded(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let segments = address.segments();
    let is_translated = segments[..6] == [0x64, 0xff9b, 0, 0, 0, 0];
    if !is_translated {
        return address.to_ipv4();
    }
    let [.., a, b, c, d] = address.octets();
    Some(Ipv4Addr::new(a, b, c, d))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn local_addresses_are_known_in_each_form() {
        for address in [
            "127.0.0.1",
            "127.8.9.10",
            "0.0.0.0",
            "0.1.2.3",
            "169.254.169.254",
            "224.0.0.1",
            "255.255.255.255",
            "168.63.129.16",
            "100.100.100.200",
            "::",
            "::1",
            "fe80::1",
            "ff02::1",
            "fd00:ec2::254",
            "::ffff:127.0.0.1",
            "::ffff:169.254.169.254",
            "::169.254.169.254",
            "64:ff9b::169.254.169.254",
        ] {
            assert!(is_local(address.parse().unwrap()), "{address}");
        }
        for address in [
            "10.0.0.1",
            "192.168.1.1",
            "100.64.0.1",
            "93.184.216.34",
            "fd00::1",
            "2001:db8::1",
            "::ffff:10.0.0.1",
            "64:ff9b::10.0.0.1",
        ] {
            assert!(!is_local(address.parse().unwrap()), "{address}");
        }
    }

    #[test]
    fn host_of_a_url_is_checked_in_each_notation() {
        for (url, expected) in [
            ("http://127.0.0.1/list", true),
            ("http://2130706433/list", true),
            ("http://0x7f.1/list", true),
            ("http://[::ffff:169.254.169.254]:80/", true),
            ("http://[fe80::1]/", true),
            ("http://localhost/", false),
            ("http://10.0.0.1/", false),
        ] {
            assert_eq!(has_local_host(&Url::parse(url).unwrap()), expected, "{url}");
        }
    }
}
