//! `tree artifact`: what makes artifacts, and what it made.

pub mod generator;

group! {
    /// Print the artifacts that an ArtifactGenerator created
    Generator(generator),
}
