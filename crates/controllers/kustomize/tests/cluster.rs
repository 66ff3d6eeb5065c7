//! Kustomizations on a real API server. The controller runs in this process, watches one namespace
//! and gets its artifacts from the test.
//!
//! The tests assert cluster state and never sleep. Intervals are one hour, so every run is caused
//! by a change.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "cluster/bases.rs"]
mod bases;
#[path = "cluster/bed.rs"]
mod bed;
#[path = "cluster/cache.rs"]
mod cache;
#[path = "cluster/canary.rs"]
mod canary;
#[path = "cluster/chaos.rs"]
mod chaos;
#[path = "cluster/cloud_server.rs"]
mod cloud_server;
#[path = "cluster/clouds.rs"]
mod clouds;
#[path = "cluster/dashboards.rs"]
mod dashboards;
#[path = "cluster/decryption.rs"]
mod decryption;
#[path = "cluster/deletion.rs"]
mod deletion;
#[path = "cluster/disk.rs"]
mod disk;
#[path = "cluster/external.rs"]
mod external;
#[path = "cluster/flags.rs"]
mod flags;
#[path = "cluster/gates.rs"]
mod gates;
#[path = "cluster/health.rs"]
mod health;
#[path = "cluster/ignore.rs"]
mod ignore;
#[path = "cluster/large.rs"]
mod large;
#[path = "cluster/mistakes.rs"]
mod mistakes;
#[path = "cluster/order.rs"]
mod order;
#[path = "cluster/overlay.rs"]
mod overlay;
#[path = "cluster/promises.rs"]
mod promises;
#[path = "cluster/recipients.rs"]
mod recipients;
#[path = "cluster/reference.rs"]
mod reference;
#[path = "cluster/remote.rs"]
mod remote;
#[path = "cluster/skeleton.rs"]
mod skeleton;
#[path = "cluster/slips.rs"]
mod slips;
#[path = "cluster/tampered.rs"]
mod tampered;
#[path = "cluster/vault.rs"]
mod vault;
