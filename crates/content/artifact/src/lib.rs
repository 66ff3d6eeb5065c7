//! Artifacts: deterministic tar.gz, digest, storage, retention, file server and verified fetch.
//!
//! Producers write an artifact, and consumers download it by its digest. This crate has both sides:
//! [`ignore`] selects the files, [`tarball`] and [`deflate`] make the bytes, [`storage`] stores
//! them and [`server`] serves them. [`mod@pack`] makes the artifacts of the command line. [`fetch`]
//! downloads an artifact, [`untar`] reads it, and [`cache`] holds downloads and results.
//!
//! The crate knows no Kubernetes types: kinds, namespaces and names are strings. All modules except
//! `server` and `fetch` block. Producers start at [`storage::Storage`], consumers at
//! [`fetch::Fetcher`].

pub mod cache;
mod confined;
pub mod deflate;
pub mod fetch;
pub mod ignore;
pub mod pack;
pub mod server;
pub mod storage;
pub mod tarball;
pub mod untar;

pub use confined::Error as FileError;
