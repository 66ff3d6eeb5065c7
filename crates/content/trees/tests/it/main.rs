//! Trees that are no folder, against real servers on loopback and what the pinned
//! kustomize makes of the same ones.

#![expect(clippy::panic, clippy::unwrap_used, reason = "tests")]

mod archive;
mod bed;
mod files;
mod hostile;
mod repositories;
