//! A control plane and a Git server on loopback for `sluice dev`, testkit and xtask.
//!
//! The crate builds the Kubernetes binaries ([`tools`]) and configures them as a cluster
//! ([`control_plane`]). They end with this process ([`process`]). It also serves a directory of
//! bare Git repositories ([`git_server`]), and lists of image tags ([`tag_server`]).
//!
//! It writes only to its state directory and the tool cache. It listens only on the given address
//! (loopback by default). It does not depend on our own kinds.
//!
//! Start at [`ControlPlane::start`].

pub mod authority;
pub mod control_plane;
pub mod error;
mod files;
pub mod git_server;
pub mod kubeconfig;
pub mod ports;
pub mod process;
pub mod tag_server;
pub mod tools;

pub use control_plane::{Audit, ControlPlane, Options};
pub use error::Error;
pub use git_server::{GitOptions, GitServer};
pub use tag_server::TagServer;
pub use tools::{Tool, Toolbox};
