//! `cargo xtask conformance …`: compares our engine with the pinned reference.
//!
//! `kustomize` builds every kustomization of public repositories with both. `gitops` does the same
//! with `build` and `diff kustomization`, for Flux's objects. `kustomizations` lets both
//! controllers reconcile such objects. `charts` renders charts, and `releases` runs the actions of
//! Helm on them. `schema` runs the tests of JSON Schema. `refresh` runs the reference on the cases
//! of our tests. No task stores output of our engine.

mod charts;
mod gitops;
mod kustomizations;
mod kustomize;
mod releases;
mod schema;

use anyhow::Context as _;
use sluice_testkit::kustomize::{Case, Kustomize};

#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, clap::Subcommand)]
enum Task {
    /// Render every chart below directories with both engines
    Charts(charts::Args),
    /// Build every kustomization below directories with both engines
    Kustomize(kustomize::Args),
    /// Build and diff every Flux Kustomization of GitOps repositories
    Gitops(gitops::Args),
    /// Reconcile Kustomizations of public repositories with both controllers
    Kustomizations(kustomizations::Args),
    /// Install, upgrade, test and uninstall charts with both engines
    Releases(releases::Args),
    /// Run the test suite of JSON Schema
    Schema(schema::Args),
    /// Record the reference's answers to our cases
    Refresh {
        /// Run only cases whose names contain this text
        #[arg(default_value = "")]
        filter: String,
    },
    /// Build one folder with our engine, in a separate process
    #[command(hide = true)]
    Build(kustomize::SingleBuild),
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    match &args.task {
        Task::Charts(args) => charts::run(args),
        Task::Kustomize(args) => kustomize::run(args),
        Task::Gitops(args) => gitops::run(args),
        Task::Kustomizations(args) => kustomizations::run(args),
        Task::Releases(args) => releases::run(args),
        Task::Schema(args) => schema::run(args),
        Task::Build(one) => {
            kustomize::build_one(one);
            Ok(())
        }
        Task::Refresh { filter } => refresh(filter),
    }
}

fn refresh(filter: &str) -> anyhow::Result<()> {
    let oracle = Kustomize::find().context("the pinned kustomize cannot be had")?;
    let directory = crate::repository().join("crates/content/kustomize/tests/cases");
    let cases = Case::all(&directory, filter);
    let mut written = 0;
    for case in &cases {
        if case.refresh(&oracle) {
            written += 1;
            println!("wrote {}", case.name);
        }
    }
    println!("{} cases, {written} changed", cases.len());
    Ok(())
}
