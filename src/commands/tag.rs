//! `tag`: more names for what a registry has.

pub mod artifact;

group! {
    /// Give an artifact more tags
    Artifact(artifact),
}
