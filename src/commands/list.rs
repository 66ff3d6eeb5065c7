//! Implements `list`: lists the content of a registry.

pub mod artifacts;

group! {
    /// List the artifacts of a repository
    Artifacts(artifacts),
}
