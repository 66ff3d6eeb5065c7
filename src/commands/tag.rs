//! `tag`: more names for what a registry has.

pub mod artifact;

group! {
    /// Add tags to an artifact
    Artifact(artifact),
}
