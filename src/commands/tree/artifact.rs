//! Implements `tree artifact`: prints artifact generators with their artifacts.

pub mod generator;

group! {
    /// Show the artifacts that an artifact generator created
    Generator(generator),
}
