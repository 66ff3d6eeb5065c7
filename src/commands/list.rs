//! `list`: what a registry has.

pub mod artifacts;

group! {
    /// List the artifacts of a repository
    Artifacts(artifacts),
}
