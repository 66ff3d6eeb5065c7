//! `tree artifact`: what makes artifacts, and what it made.

pub mod generator;

group! {
    /// Print the artifacts of an ArtifactGenerator
    Generator(generator),
}
