//! Git remotes and a local object store: plain credentials in, plain data out; knows no CRD.
//!
//! It owns the wire ([`Client`], over smart HTTP and SSH, protocol versions 2, 1
//! and 0), the objects on disk ([`Store`]), the way through a commit's tree
//! ([`walk`]) and, for `sluice dev`, tests and benchmarks, the other side of the
//! wire ([`serve`]). It refuses worktrees, hooks, filters, configuration files,
//! an agent that nobody named and any environment: what a repository holds is data, never advice.
//!
//! Start at [`Remote`] and [`Reference`]; `Client::resolve` turns them into a
//! [`Resolved`], `Store::fetch` that into a [`Commit`], and `Store::walk` a
//! commit into the entries of its tree, in the order of an artifact. `Stores::fetch_part` fetches
//! some of the files only, where the server can do so. The way back is
//! `Store::draft`, which makes a commit of a few [`Draft`]ed files without a worktree, and
//! `Client::push`.

mod address;
mod client;
mod commit;
mod disk;
mod draft;
mod error;
mod id;
mod libgit;
mod limits;
mod private_key;
pub mod protocol;
mod push;
mod reference;
mod remote;
#[cfg(test)]
mod robustness;
pub mod serve;
mod session;
mod signature;
mod signing;
pub mod ssh_setup;
mod store;
mod submodule;
mod transport;
pub mod walk;

pub use address::Address;
pub use client::Client;
pub use commit::{Commit, Person};
pub use draft::{Author, Draft, Drafted};
pub use error::{Error, ErrorKind, Phase, Result};
pub use id::{InvalidObjectId, ObjectId};
pub use limits::Limits;
pub use reference::{Reference, Refs, RemoteRef, Resolved, revision, revision_commit};
pub use remote::{Access, Remote, SshAgent, fingerprint};
pub use signature::{Signed, SignedTag, TrustedKeys, Unverified};
pub use signing::{Signer, SigningKeyError};
pub use store::{Fetched, Store, Stores};
pub use submodule::{Submodule, Submodules};
pub use transport::ssh::{SshAlgorithms, UnknownAlgorithm};
pub use walk::{Entry, Kind, Snapshot, Step, Visitor};
