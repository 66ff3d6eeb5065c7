//! Implements `diff`: compares local files with a registry or a cluster.

pub mod artifact;
pub mod kustomization;

group! {
    /// Compare an artifact with a directory
    Artifact(artifact),
    /// Compare local manifests with the cluster
    #[command(alias = "ks")]
    Kustomization(kustomization),
}
