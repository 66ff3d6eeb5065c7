//! Implements `tree artifact`: prints artifact generators with their artifacts.

pub mod generator;

group! {
    /// Print the artifacts that an artifact generator created
    Generator(generator),
}
