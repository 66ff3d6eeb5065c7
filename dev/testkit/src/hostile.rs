//! Servers that do to a client what no honest one would.

pub mod git;
pub mod registry;

pub use git::{GitFault, HostileGit};
pub use registry::HostileRegistry;
