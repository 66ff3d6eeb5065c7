//! A control plane and a Git server on loopback for `sluice dev`, testkit and xtask.
//!
//! Owns: where the Kubernetes binaries come from ([`tools`]), how they are started so that nothing
//! outlives us ([`process`]), which flags make them a cluster ([`control_plane`]), and a Git server
//! over a directory of bare repositories ([`git_server`]).
//!
//! Refuses: to touch anything outside its own state directory and the tool cache; to listen on
//! anything but the address that it was given (loopback by default); to know any kind of ours.
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
pub mod tools;

pub use control_plane::{Audit, ControlPlane, Options};
pub use error::Error;
pub use git_server::{GitOptions, GitServer};
pub use tools::{Tool, Toolbox};
