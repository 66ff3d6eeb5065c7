//! `cargo xtask conformance …`: our engine against the pinned reference.
//!
//! `kustomize` builds every kustomization of foreign trees with both and counts
//! where they agree; it is how faults are found. `gitops` does the same with the
//! commands `build` and `diff kustomization`, over Flux's own objects. `kustomizations` has both
//! controllers reconcile such objects. `refresh` asks the reference
//! again about the cases of our own tests. None writes anything that our
//! engine made.

mod gitops;
mod kustomizations;
mod kustomize;

use anyhow::Context as _;
use sluice_testkit::kustomize::{Case, Kustomize};

#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, clap::Subcommand)]
enum Task {
    /// Build every kustomization below directories with both engines, and compare
    Kustomize(kustomize::Args),
    /// Build and compare every Flux Kustomization of GitOps repositories, beside Flux's command
    Gitops(gitops::Args),
    /// Reconcile Kustomizations of public repositories with Flux's controller and with ours, and compare
    Kustomizations(kustomizations::Args),
    /// Ask the pinned kustomize what the cases of crates/content/kustomize/tests/cases should give
    Refresh {
        /// Only cases whose name contains this
        #[arg(default_value = "")]
        filter: String,
    },
    /// Build one folder with our engine, in a process of its own
    #[command(hide = true)]
    Build(kustomize::One),
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    match &args.task {
        Task::Kustomize(args) => kustomize::run(args),
        Task::Gitops(args) => gitops::run(args),
        Task::Kustomizations(args) => kustomizations::run(args),
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
