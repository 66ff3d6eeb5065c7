//! `pull`: from a registry to here.

pub mod artifact;

group! {
    /// Pull an artifact and extract its content
    Artifact(artifact),
}
