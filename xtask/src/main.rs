//! Developer tasks, run as `cargo xtask <task>`.
//!
//! One file per task. A task that writes files writes them below the
//! repository, one that checks ends with an error that says what to do.

mod cluster;
mod generate;
mod layers;

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
    Cluster(cluster::Arguments),
    Generate(generate::Arguments),
    Layers(layers::Arguments),
}

fn main() -> anyhow::Result<()> {
    match Arguments::parse().task {
        Task::Cluster(arguments) => cluster::run(&arguments),
        Task::Generate(arguments) => generate::run(&arguments),
        Task::Layers(arguments) => layers::run(&arguments),
    }
}

/// Returns the root of the repository.
fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("xtask stands below the root")
}
