//! Implements `build`: renders local files, and prints or packs the result.

pub mod artifact;
pub mod chart;
pub mod helmrelease;
pub mod image_update;
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
    /// Show the edit that an image automation would commit
    #[command(name = "image-update", alias = "iua")]
    ImageUpdate(image_update),
    /// Build a Kustomization from local manifests
    #[command(alias = "ks")]
    Kustomization(kustomization),
    /// Build a directory like `kustomize build`
    Overlay(overlay),
}
