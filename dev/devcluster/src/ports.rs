//! Finds free ports.
//!
//! Another process may take a port before the server binds it, so callers retry with other ports
//! (see [`crate::ControlPlane::start`]).

use std::net::{IpAddr, SocketAddr};

use rustix::net::{AddressFamily, SocketFlags, SocketType};

use crate::error::Error;

/// Below Linux's range for outgoing connections (32768–60999) and below the node ports. A busy
/// test run uses thousands of those.
const RANGE: std::ops::Range<u16> = 15_000..30_000;

const ATTEMPTS: u32 = 200;

/// Finds `N` distinct free ports on `address`.
pub fn free<const N: usize>(address: IpAddr) -> Result<[u16; N], Error> {
    let mut ports = [0; N];
    for index in 0..N {
        ports[index] = free_one(address, &ports[..index])?;
    }
    Ok(ports)
}

fn free_one(address: IpAddr, taken: &[u16]) -> Result<u16, Error> {
    let mut attempt = 0;
    loop {
        let candidate = fastrand::u16(RANGE);
        if taken.contains(&candidate) {
            continue;
        }
        match try_bind(SocketAddr::new(address, candidate)) {
            Ok(()) => return Ok(candidate),
            Err(source) if attempt >= ATTEMPTS => return Err(Error::NoPort { address, source }),
            Err(_) => attempt += 1,
        }
    }
}

/// Binds as a server would, without listening, and with address reuse. A forked child holds the
/// socket until it executes its program, and must not block or accept the server's connections.
fn try_bind(address: SocketAddr) -> std::io::Result<()> {
    let family = match address {
        SocketAddr::V4(_) => AddressFamily::INET,
        SocketAddr::V6(_) => AddressFamily::INET6,
    };
    let flags = SocketFlags::CLOEXEC;
    let socket = rustix::net::socket_with(family, SocketType::STREAM, flags, None)?;
    rustix::net::sockopt::set_socket_reuseaddr(&socket, true)?;
    Ok(rustix::net::bind(&socket, &address)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::net::Ipv4Addr;

    #[test]
    fn free_ports_are_distinct_and_in_range() {
        let ports = free::<20>(Ipv4Addr::LOCALHOST.into()).unwrap();
        assert_eq!(BTreeSet::from(ports).len(), 20);
        assert!(ports.iter().all(|port| RANGE.contains(port)));
    }
}
