//! Ports for servers that a test starts, stops and starts again.

use std::net::{Ipv4Addr, TcpListener};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU16, Ordering};

/// Below the ports of control planes, and below those that the system gives to a listener on
/// port 0. So no other server of the test run can take a port between two starts.
const RANGE: std::ops::Range<u16> = 10_000..15_000;

/// Returns a port that no other caller of this process gets.
///
/// # Panics
/// If all ports of the range are taken.
#[must_use]
pub fn port() -> u16 {
    static NEXT: LazyLock<AtomicU16> = LazyLock::new(|| AtomicU16::new(fastrand::u16(RANGE)));
    let size = RANGE.end - RANGE.start;
    for _ in 0..size {
        let port = RANGE.start + NEXT.fetch_add(1, Ordering::Relaxed) % size;
        if TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok() {
            return port;
        }
    }
    panic!("no port from {} to {} is free", RANGE.start, RANGE.end);
}
