//! Implements `build`: renders local files, and prints or packs the result.

pub mod artifact;
pub mod chart;
pub mod kustomization;
pub mod overlay;

group! {
    /// Pack manifests as an artifact
    Artifact(artifact),
    /// Render a chart like `helm template`
    Chart(chart),
    /// Build a Kustomization from local manifests
    #[command(alias = "ks")]
    Kustomization(kustomization),
    /// Build a directory like `kustomize build`
    Overlay(overlay),
}
