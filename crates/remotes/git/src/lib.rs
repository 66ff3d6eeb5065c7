//! Git remotes and a local object store. The crate has no Kubernetes types.
//!
//! [`Client`] talks to remotes over smart HTTP and SSH, in protocol versions 2, 1 and 0. [`Store`]
//! holds objects on disk, and [`walk`] reads the tree of a commit. [`serve`] is the server side,
//! for `sluice dev`, tests and benchmarks. Worktrees, hooks, filters, configuration files and the
//! environment are never used, because the content of a repository is untrusted.
//!
//! Start at [`Remote`] and [`Reference`]. `Client::resolve` turns them into a
//! [`ResolvedReference`], and `Store::fetch` fetches its [`Commit`]. `Store::walk` visits the tree
//! in the order of an artifact. `Stores::fetch_part` fetches only some files, if the server
//! supports it. `Store::draft` creates a commit from a [`Draft`] without a worktree, and
//! `Client::push` pushes it.

mod address;
mod checkout_error;
mod client;
mod commit;
mod disk;
mod draft;
mod error;
#[cfg(feature = "fuzz")]
pub mod fuzz;
mod id;
mod libgit;
mod limits;
mod packed_blob;
mod private_key;
pub mod protocol;
mod push;
mod reference;
mod remote;
pub mod serve;
mod session;
mod signature;
mod signing;
pub mod ssh_setup;
mod store;
mod submodule;
mod transport;
#[cfg(test)]
mod untrusted_input_tests;
pub mod walk;

pub use address::Address;
pub use checkout_error::CheckoutStep;
pub use client::Client;
pub use commit::{Commit, Person};
pub use draft::{Author, Draft, PackedCommit};
pub use error::{Error, ErrorKind, Phase, Result};
pub use id::{InvalidObjectId, ObjectId};
pub use limits::Limits;
pub use push::{ExpectedTip, Push};
pub use reference::{DEFAULT_BRANCH, Reference, ReferenceFields, Refs, RemoteRef};
pub use reference::{ResolvedReference, revision, revision_commit};
pub use remote::{Access, Remote, SshAgent, fingerprint};
pub use signature::{SignedObject, SignedTag, TrustedKeys, VerificationError, verify_cleartext};
pub use signing::{Signer, SigningKeyError};
pub use store::{FetchResult, Store, Stores, Submodule, Submodules};
pub use transport::ssh::{SshAlgorithms, UnknownAlgorithm};
pub use walk::{Entry, Kind, Snapshot, Step, Visitor};
