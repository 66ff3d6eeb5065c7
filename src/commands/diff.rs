//! Implements `diff`: compares local files with a registry or a cluster.

pub mod artifact;
pub(super) mod comparison;
pub mod helmrelease;
pub mod kustomization;

group! {
    /// Compare an artifact with a directory
    Artifact(artifact),
    /// Compare a local HelmRelease with the cluster
    #[command(name = "helmrelease", alias = "hr")]
    HelmRelease(helmrelease),
    /// Compare local manifests with the cluster
    #[command(alias = "ks")]
    Kustomization(kustomization),
}
