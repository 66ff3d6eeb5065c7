//! `debug`: what a controller has seen of an object, for whoever asks why it fails.

pub mod kustomization;

group! {
    /// Print the status, the variables or the history of a Kustomization
    #[command(alias = "ks")]
    Kustomization(kustomization),
}
