//! `cargo xtask conformance …`: compares our engine with the pinned reference.
//!
//! `kustomize` builds every kustomization of public repositories with both. `gitops` does the same
//! with `build` and `diff kustomization`, for Flux's objects. `kustomizations` lets both
//! controllers reconcile such objects. `fleet` syncs whole clusters with all controllers. `charts`
//! renders charts, and `releases` runs the actions of Helm on them. `schema` runs the tests of JSON
//! Schema. `commands` replays Flux's own command-line tests. `refresh` runs the reference on the
//! cases of our tests. No task stores output of our engine.

mod charts;
mod commands;
mod fleet;
mod gitops;
mod kustomizations;
mod kustomize;
mod releases;
mod schema;

use anyhow::{Context as _, ensure};
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
    /// Replay the command-line tests of a checkout of Flux with our binary
    Commands(commands::Args),
    /// Sync the clusters of public repositories with all controllers of both
    Fleet(fleet::Args),
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
        /// Write nothing, and fail if a recorded answer is not the reference's
        #[arg(long)]
        check: bool,
    },
    /// Build one folder with our engine, in a separate process
    #[command(hide = true)]
    Build(kustomize::SingleBuild),
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    match &args.task {
        Task::Charts(args) => charts::run(args),
        Task::Commands(args) => commands::run(args),
        Task::Fleet(args) => fleet::run(args),
        Task::Kustomize(args) => kustomize::run(args),
        Task::Gitops(args) => gitops::run(args),
        Task::Kustomizations(args) => kustomizations::run(args),
        Task::Releases(args) => releases::run(args),
        Task::Schema(args) => schema::run(args),
        Task::Build(one) => {
            kustomize::build_one(one);
            Ok(())
        }
        Task::Refresh { filter, check } => refresh(filter, *check),
    }
}

fn refresh(filter: &str, is_check: bool) -> anyhow::Result<()> {
    let oracle = Kustomize::find().context("the pinned kustomize cannot be had")?;
    let directory = crate::repository().join("crates/content/kustomize/tests/cases");
    let cases = Case::all(&directory, filter);
    let (mut changed, verb) = (0, if is_check { "stale:" } else { "wrote" });
    for case in &cases {
        let differs = if is_check {
            !case.is_current(&oracle)
        } else {
            case.refresh(&oracle)
        };
        if differs {
            changed += 1;
            println!("{verb} {}", case.name);
        }
    }
    println!("{} cases, {changed} changed", cases.len());
    ensure!(
        !is_check || changed == 0,
        "{changed} recorded answers differ from the pinned kustomize: run `cargo xtask conformance \
         refresh`"
    );
    Ok(())
}
