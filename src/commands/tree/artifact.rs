//! `tree artifact`: what makes artifacts, and what it made.

pub mod generator;

group! {
    /// Print the artifacts that an artifact generator made
    Generator(generator),
}
