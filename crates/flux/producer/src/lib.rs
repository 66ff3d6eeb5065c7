//! Producers of artifacts: storage, file server, verification and removal of artifacts.
//!
//! Controllers that publish artifacts share this crate. It knows no reconciler and no source kind.
//! [`ArtifactServer`] claims the storage and serves it. [`KindStorage`] is the part of one kind: it
//! stores, checks and deletes the artifacts of an object. [`Tree`] packs files in any order.
//!
//! After a start, [`FirstRound`] delays new artifacts until the stored ones were checked.
//! [`Orphans`] removes the artifacts of objects that are gone. [`StorageArgs`] are the flags of
//! all.

mod args;
mod first_round;
mod orphans;
mod server;
mod spool;
mod storage;
mod tree;

pub use args::StorageArgs;
pub use first_round::FirstRound;
pub use orphans::Orphans;
pub use server::{ArtifactServer, StorageReady, storage_owner};
pub use spool::{Reader, Spool};
pub use storage::{
    ArtifactState, KindStorage, LINK, StorageFailure, TidyReport, archive_failure, failure,
    store_failure,
};
pub use tree::{Entry, Tree, UnpackError};
