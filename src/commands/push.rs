//! Implements `push`: uploads to a registry.

pub mod artifact;

group! {
    /// Push manifests as an artifact to a container registry
    Artifact(artifact),
}
