//! `tree`: what an object owns, as a tree.

pub mod kustomization;

group! {
    /// Print the objects that a Kustomization applied
    #[command(alias = "ks")]
    Kustomization(kustomization),
}
