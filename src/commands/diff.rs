//! `diff`: what differs between here and there.

pub mod artifact;
pub mod kustomization;

group! {
    /// Compare an artifact with a directory
    Artifact(artifact),
    /// Show what applying local manifests would change in the cluster
    #[command(alias = "ks")]
    Kustomization(kustomization),
}
