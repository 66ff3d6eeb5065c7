//! Artifacts: deterministic tar.gz, digest, storage, retention, file server and verified fetch.
//!
//! What a source controller writes and every other controller reads is a file named by its
//! digest. This crate owns both ends: [`tarball`] and [`ignore`] decide its bytes, [`storage`]
//! keeps it, [`server`] hands it out, [`fetch`] brings it in and [`untar`] opens it. What has been
//! brought in, and what was made of it, is [`kept`] for the next one. It knows no Kubernetes object:
//! kinds, namespaces and names come as strings. All of it but `server` and `fetch` blocks. Start at [`storage::Storage`] as a producer and at [`fetch::Fetcher`] as a
//! consumer.

pub mod compress;
mod confined;
pub mod deflate;
pub mod digest;
pub mod fetch;
pub mod ignore;
pub mod kept;
pub mod server;
pub mod storage;
pub mod tarball;
pub mod untar;

pub use confined::Error as FileError;
