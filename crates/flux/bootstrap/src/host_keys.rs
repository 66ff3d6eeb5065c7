//! The keys of SSH hosts that the cluster and this machine accept.

use std::time::Duration;

use sluice_git::ssh_setup::{is_host_known, scan_host_key};
use sluice_golang::error::chain;
use sluice_lifecycle::Error;

/// Merges known hosts: the entries of the cluster, and the scanned keys of a host that they lack.
/// Entries of other hosts stay, because the cluster uses the old address until it follows the new
/// one. Submodules may have a third.
pub(crate) async fn known_hosts(
    (host, port): &(String, u16),
    pinned: Option<&str>,
    limit: Duration,
) -> Result<String, Error> {
    let pinned = pinned.unwrap_or_default();
    let is_known = is_host_known(pinned, host, *port).map_err(|error| {
        Error::cluster(format!(
            "the host keys in the source Secret cannot be read: {}",
            chain(&error)
        ))
        .hint(format!(
            "correct or remove its entry known_hosts; without it, {host} is asked for its key"
        ))
    })?;
    if is_known {
        return Ok(pinned.to_owned());
    }
    let scanned = scan_host_key(host, *port, limit).await;
    let scanned = scanned.map_err(|error| {
        Error::cluster(format!(
            "SSH key scan for host {host} failed: {}",
            chain(&error)
        ))
        .hint("check host and port of the URL, and that this machine can reach them")
    })?;
    Ok(match pinned.trim_end() {
        "" => scanned,
        others => format!("{others}\n{scanned}"),
    })
}
