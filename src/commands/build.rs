//! Implements `build`: renders local files, and prints or packs the result.

pub mod artifact;
pub mod chart;
pub mod helmrelease;
pub mod kustomization;
pub mod overlay;

group! {
    /// Pack manifests as an artifact
    Artifact(artifact),
    /// Render a chart like `helm template`
    Chart(chart),
    /// Render a HelmRelease from local files
    #[command(name = "helmrelease", alias = "hr")]
    HelmRelease(helmrelease),
    /// Build a Kustomization from local manifests
    #[command(alias = "ks")]
    Kustomization(kustomization),
    /// Build a directory like `kustomize build`
    Overlay(overlay),
}
