//! Developer tasks, run as `cargo xtask <task>`.
//!
//! One file per task. A task writes only below the repository. A failed check names the remedy.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a developer tool starts programs, reads files and prints"
)]

mod bench;
mod binary;
mod chaos;
mod cluster;
mod commits;
mod conformance;
mod differential;
mod fuzz;
mod generate;
mod image;
mod layers;
mod lines;
mod picture;
#[cfg(test)]
mod proofs;
mod prose;
mod reference;
mod release;
mod reproduce;
mod signature;
mod site;
mod source;
mod suite;
mod tarball;
mod vectors;

use std::path::Path;

use clap::{Parser, Subcommand};

/// Run a developer task.
#[derive(Parser)]
#[command(bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Run benchmarks beside a lower bound
    Bench(bench::Args),
    /// Kill processes at each of their calls
    Chaos(chaos::Args),
    Cluster(cluster::Arguments),
    Commits(commits::Arguments),
    /// Compare with the reference over our cases and public repositories
    Conformance(conformance::Args),
    /// Compare with Go's libraries on generated input
    Differential(differential::Args),
    /// Test properties of readers and writers with random inputs
    Fuzz(fuzz::Args),
    Generate(generate::Arguments),
    /// Write the OCI image as a layout tar, without Docker
    Image(image::Args),
    Layers(layers::Arguments),
    Lines(lines::Arguments),
    Picture(picture::Arguments),
    Prose(prose::Arguments),
    /// Check recorded answers against the programs of the reference
    Reference(reference::Args),
    /// Build all files of a release
    Release(release::Args),
    /// Build the release binary twice and compare the digests
    Reproduce(reproduce::Args),
    Site(site::Arguments),
    Vectors(vectors::Args),
}

fn main() -> anyhow::Result<()> {
    match Arguments::parse().task {
        Task::Bench(args) => bench::run(&args),
        Task::Chaos(args) => chaos::run(&args),
        Task::Cluster(arguments) => cluster::run(&arguments),
        Task::Commits(arguments) => commits::run(&arguments),
        Task::Conformance(args) => conformance::run(&args),
        Task::Image(args) => image::run(&args),
        Task::Differential(args) => differential::run(&args),
        Task::Fuzz(args) => fuzz::run(&args),
        Task::Generate(arguments) => generate::run(&arguments),
        Task::Layers(arguments) => layers::run(&arguments),
        Task::Lines(arguments) => lines::run(&arguments),
        Task::Picture(arguments) => picture::run(&arguments),
        Task::Prose(arguments) => prose::run(&arguments),
        Task::Reference(args) => reference::run(&args),
        Task::Release(args) => release::run(&args),
        Task::Reproduce(args) => reproduce::run(&args),
        Task::Site(arguments) => site::run(&arguments),
        Task::Vectors(args) => vectors::run(&args),
    }
}

/// Returns the root of the repository.
fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("xtask stands below the root")
}
