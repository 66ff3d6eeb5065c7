//! Servers that misbehave on purpose.

pub mod git;
pub mod registry;

pub use git::{GitFault, HostileGit};
pub use registry::HostileRegistry;
