//! Servers that misbehave on purpose.

pub mod git;
mod memory;
pub mod registry;
pub mod tenant;

pub use git::{GitFault, HostileGit};
pub use memory::MemoryLimit;
pub use registry::HostileRegistry;
pub use tenant::{TenantInput, TenantServers};
