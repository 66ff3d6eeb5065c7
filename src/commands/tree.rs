//! Implements `tree`: prints the owned objects of an object.

pub mod artifact;
mod entry;
pub mod kustomization;

group! {
    /// Show the artifacts of a generator
    Artifact(artifact),
    /// Show the objects that a Kustomization applied
    #[command(alias = "ks")]
    Kustomization(kustomization),
}
