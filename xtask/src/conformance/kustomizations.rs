//! `cargo xtask conformance kustomizations DIR…`: Flux's kustomize-controller and ours reconcile
//! Kustomizations of public repositories, each on its own API server.
//!
//! [`corpus`] collects the Flux Kustomizations of a tree, as [`super::gitops`] does. A tree without
//! any contributes folders that kustomize builds, each with a plain Kustomization. Specs lose waits
//! and references to other trees; missing variables and Secrets get generated values. Each
//! Kustomization is created, reconciled, updated and deleted ([`side`]). Those of one tree that
//! share nothing run at once ([`claims`]). Both servers get definitions without a schema for
//! unknown kinds ([`definitions`]).
//!
//! [`sluice_testkit::outcome`] compares objects with field owners, conditions, inventories,
//! histories, events and writes. Expected differences are in `explained.yaml` here, each with a row
//! of `docs/differences.md`. A Kustomization with other differences runs again alone before it
//! counts.
//!
//! `REFERENCE_BIN_DIR` names the directory with Flux's controller. The trees stay unchanged.

mod claims;
pub(super) mod corpus;
pub(super) mod definitions;
mod report;
mod side;

#[cfg(test)]
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Context as _;
use sluice_system::fs;
use sluice_testkit::Reference;
use sluice_testkit::expected_differences::ExpectedDifferences;
use sluice_testkit::outcome::Outcome;

use corpus::{Corpus, Subject};
use report::{OutcomePair, Report};
use side::Side;

#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Checkouts named OWNER+NAME
    #[arg(required = true)]
    directories: Vec<PathBuf>,
    /// Path of our command line
    #[arg(long, default_value = "target/debug/sluice")]
    program: PathBuf,
    /// Maximum number of folders of a tree without Flux Kustomizations
    #[arg(long, default_value_t = 50)]
    folders: usize,
    /// Maximum number of objects of a Kustomization
    #[arg(long, default_value_t = 250)]
    objects: usize,
    /// Number of parallel Kustomizations
    #[arg(long, default_value_t = 12)]
    together: usize,
    /// Run only Kustomizations whose names contain this text
    #[arg(long, default_value = "")]
    filter: String,
    /// Start no Kustomization after this many minutes
    #[arg(long)]
    minutes: Option<u64>,
    /// Maximum number of second runs after a difference
    #[arg(long, default_value_t = 50)]
    again: usize,
    /// File for all differences, expected or not
    #[arg(long)]
    details: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let program = fs::canonicalize(&args.program).context("our controller is not built")?;
    let reference = Reference::find().context("REFERENCE_BIN_DIR names no directory")?;
    let runtime = tokio::runtime::Runtime::new()?;
    runtime.block_on(play(args, &program, &reference))
}

async fn play(args: &Args, program: &Path, reference: &Reference) -> anyhow::Result<()> {
    let began = Instant::now();
    let (theirs, ours) = tokio::join!(Side::reference(reference), Side::ours(program));
    let (mut theirs, mut ours) = (theirs?, ours?);
    let native = theirs.kinds().await?;
    let mut corpus = Corpus::of(&args.directories, args.folders, args.objects, &native)?;
    corpus
        .subjects
        .retain(|subject| subject.about.contains(&args.filter));
    let definitions = definitions::of(&corpus.subjects, &native);
    eprintln!(
        "{:5} s: {} Kustomizations, {} kinds that are made up",
        began.elapsed().as_secs(),
        corpus.subjects.len(),
        definitions.len()
    );
    theirs.definitions.clone_from(&definitions);
    ours.definitions = definitions;

    let mut report = Report::new(&ExpectedDifferences::read(&explanations()));
    let batches = claims::batches(&corpus.subjects, args.together, &theirs.definitions);
    let count = batches.len();
    for (number, batch) in batches.into_iter().enumerate() {
        let passed = began.elapsed().as_secs() / 60;
        if args.minutes.is_some_and(|minutes| passed >= minutes) {
            break;
        }
        let subjects: Vec<&Subject> = batch.iter().map(|at| &corpus.subjects[*at]).collect();
        let outcomes = both(&mut theirs, &mut ours, &corpus, &subjects).await?;
        for (at, played) in batch.into_iter().zip(outcomes) {
            report.add(at, played);
        }
        eprintln!(
            "{:5} s: {} of {count}, {}",
            began.elapsed().as_secs(),
            number + 1,
            report.progress(&corpus)
        );
    }
    // Alone, without influence of the others.
    for at in report.differ().into_iter().take(args.again) {
        let subject = &corpus.subjects[at];
        let again = both(&mut theirs, &mut ours, &corpus, &[subject]).await?;
        for again in again {
            report.replace(at, again);
        }
    }
    if let Some(path) = &args.details {
        fs::write(path, report.details(&corpus))?;
    }
    print!("{}", report.tables(&corpus));
    anyhow::ensure!(report.differing() == 0, "{} differ", report.differing());
    Ok(())
}

/// Runs the same Kustomizations on both sides, at the same time.
async fn both(
    theirs: &mut Side,
    ours: &mut Side,
    corpus: &Corpus,
    subjects: &[&Subject],
) -> anyhow::Result<Vec<OutcomePair>> {
    let (theirs, ours) = tokio::join!(theirs.play(corpus, subjects), ours.play(corpus, subjects));
    let pair = |(theirs, ours): (Outcome, Outcome)| OutcomePair {
        theirs,
        ours,
        again: None,
    };
    Ok(theirs?.into_iter().zip(ours?).map(pair).collect())
}

pub(super) fn explanations() -> PathBuf {
    crate::repository().join("xtask/src/conformance/kustomizations/explained.yaml")
}

#[test]
fn expected_differences_have_rows() {
    let explanations = ExpectedDifferences::read(&explanations());
    explanations.assert_rows_of(&crate::repository().join("docs/differences.md"));
    let known = BTreeSet::from(["corpus", "failing", "encrypted"].map(str::to_owned));
    assert_eq!(explanations.unknown_scenarios(&known), BTreeSet::new());
}
