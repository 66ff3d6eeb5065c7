//! Ports that nobody listens on at this moment.
//!
//! Between our look and the server's bind another process may take one, or still hold the listener
//! of our look, if it was forked then and has not become its program yet; whoever uses these ports
//! starts over with others when the server reports it (see [`crate::ControlPlane::start`]).

use std::net::{IpAddr, TcpListener};

use crate::error::Error;

/// Below the range from which Linux (32768–60999) hands out ports for outgoing connections, and
/// below the node ports: a busy test run opens thousands of those, and each could hit our choice.
const RANGE: std::ops::Range<u16> = 15_000..30_000;

const ATTEMPTS: u32 = 200;

/// Finds `N` distinct free ports on `address`.
pub fn free<const N: usize>(address: IpAddr) -> Result<[u16; N], Error> {
    let mut held: Vec<TcpListener> = Vec::with_capacity(N);
    let mut ports = [0; N];
    for port in &mut ports {
        let (candidate, listener) = free_one(address)?;
        *port = candidate;
        // Held until all are chosen, so that none is chosen twice.
        held.push(listener);
    }
    Ok(ports)
}

fn free_one(address: IpAddr) -> Result<(u16, TcpListener), Error> {
    let mut attempt = 0;
    loop {
        let candidate = fastrand::u16(RANGE);
        match TcpListener::bind((address, candidate)) {
            Ok(listener) => return Ok((candidate, listener)),
            Err(source) if attempt >= ATTEMPTS => return Err(Error::NoPort { address, source }),
            Err(_) => attempt += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::net::Ipv4Addr;

    #[test]
    fn free_ports_are_distinct_and_out_of_the_way_of_connections() {
        let ports = free::<20>(Ipv4Addr::LOCALHOST.into()).unwrap();
        assert_eq!(BTreeSet::from(ports).len(), 20);
        assert!(ports.iter().all(|port| RANGE.contains(port)));
    }
}
