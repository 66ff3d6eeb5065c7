//! Implements `tag`: adds tags to an artifact.

pub mod artifact;

group! {
    /// Add tags to an artifact
    Artifact(artifact),
}
