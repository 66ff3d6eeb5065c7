//! Servers that do to a client what no honest one would.

pub mod registry;

pub use registry::HostileRegistry;
