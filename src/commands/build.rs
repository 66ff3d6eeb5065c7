//! `build`: what stands for a folder, printed or packed instead of applied.

pub mod artifact;
pub mod chart;
pub mod kustomization;
pub mod overlay;

group! {
    /// Pack manifests as an artifact
    Artifact(artifact),
    /// Print what `helm template` prints for a chart
    Chart(chart),
    /// Print what a Kustomization applies, built from local manifests
    #[command(alias = "ks")]
    Kustomization(kustomization),
    /// Print what `kustomize build` prints for a folder
    Overlay(overlay),
}
