//! Implements `pull`: downloads from a registry.

pub mod artifact;

group! {
    /// Pull an artifact and extract its content
    Artifact(artifact),
}
