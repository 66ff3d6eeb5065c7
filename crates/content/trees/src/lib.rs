//! File trees for builds that are not folders of this machine.
//!
//! `sluice-kustomize` reads files through its trait `Fs` and fetches nothing. This crate has
//! the trees: [`TarFs`] is the archive of an artifact, read without unpacking. [`GitFs`] is a
//! commit. [`RemoteFetcher`] fetches the repositories and files that kustomizations refer to by
//! URL, once per build. Files that need a disk go to a temporary directory of the build, never
//! beside the manifests of a user.
//!
//! The crate rejects paths and links out of a tree, and by default repositories of this
//! machine. It uses only credentials that the caller provides.

mod fetch;
mod git;
mod tar;

pub use fetch::{FetchSettings, RemoteFetcher, SshIdentityProvider};
pub use git::GitFs;
pub use tar::{TarError, TarFs};
