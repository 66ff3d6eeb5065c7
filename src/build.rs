//! Defines the flags of commands that render Kustomizations, charts and `HelmRelease`s.

pub mod flags;
pub mod release;
pub mod report;
pub mod source;
