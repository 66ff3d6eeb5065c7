//! File trees for the builder that are no folder of this machine.
//!
//! The builder of `sluice-kustomize` sees files through its trait `Fs` and fetches
//! nothing. Here is what it sees then: [`TarFs`], the archive of an artifact, read
//! without being unpacked; and [`Remotes`], which brings the repositories and files
//! that kustomizations name by URL, each once in a build; and [`GitFs`], a commit that
//! somebody else fetched. Nothing is ever written
//! beside the manifests of a user: what has to be on a disk lies in a directory
//! that goes with the build.
//!
//! What is refused: a path out of a tree, by whatever name or link; credentials of
//! this machine that nobody handed in; and, unless it is allowed, repositories of
//! this machine.

mod fetch;
mod git;
mod tar;

pub use fetch::{Identities, Remotes, Settings};
pub use git::GitFs;
pub use tar::{TarError, TarFs};
