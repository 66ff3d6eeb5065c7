//! Implements `tree`: prints the owned objects of an object.

pub mod artifact;
mod entry;
pub mod kustomization;

group! {
    /// Print the artifacts of a generator
    Artifact(artifact),
    /// Print the objects that a Kustomization applied
    #[command(alias = "ks")]
    Kustomization(kustomization),
}
