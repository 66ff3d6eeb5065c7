//! `cargo xtask conformance kustomizations DIR…`: Kustomizations of public repositories, reconciled by
//! Flux's kustomize-controller and by ours, on an API server for each, and what is compared of it.
//!
//! What is played ([`corpus`]): the Flux Kustomizations of a tree, as [`super::gitops`] finds them; in a
//! tree without any, folders that kustomize builds, each in a plain Kustomization. Waits and whatever
//! leads out of the tree are taken out of the spec, and what nobody has is made up, alike for both.
//! Each is created, asked for a run, given another revision and deleted ([`side`]); those of one tree
//! that share nothing are played at once ([`claims`]). Both servers have definitions without a schema
//! for kinds that Kubernetes does not have ([`definitions`]), and call no webhooks.
//!
//! Compared are, by [`sluice_testkit::outcome`], as in the controller's own scenarios: objects with who
//! owns which field, conditions, inventories, histories, events, and every write to a managed object.
//! What differs on purpose is in `explained.yaml` here, by its row of `docs/differences.md`; what
//! differs is played once more by itself before it counts.
//!
//! `REFERENCE_BIN_DIR` names the directory with Flux's controller. Nothing is written into the trees.

mod claims;
mod corpus;
mod definitions;
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
use report::{Played, Report};
use side::Side;

#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Checkouts, each called OWNER+NAME
    #[arg(required = true)]
    directories: Vec<PathBuf>,
    /// Our controller, by our command line
    #[arg(long, default_value = "target/debug/sluice")]
    program: PathBuf,
    /// How many folders of a tree without Flux's Kustomizations are played
    #[arg(long, default_value_t = 50)]
    folders: usize,
    /// Objects of a Kustomization, at most
    #[arg(long, default_value_t = 250)]
    objects: usize,
    /// Kustomizations at once
    #[arg(long, default_value_t = 12)]
    together: usize,
    /// Only Kustomizations whose name in the report contains this
    #[arg(long, default_value = "")]
    filter: String,
    /// Minutes after which no others are begun
    #[arg(long)]
    minutes: Option<u64>,
    /// How many that differ are played once more, by themselves
    #[arg(long, default_value_t = 50)]
    again: usize,
    /// Where every difference is written, explained or not
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
            report.told(&corpus)
        );
    }
    // By themselves, so that no other one has a part in it.
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

/// Plays the same on both sides, at the same time.
async fn both(
    theirs: &mut Side,
    ours: &mut Side,
    corpus: &Corpus,
    subjects: &[&Subject],
) -> anyhow::Result<Vec<Played>> {
    let (theirs, ours) = tokio::join!(theirs.play(corpus, subjects), ours.play(corpus, subjects));
    let pair = |(theirs, ours): (Outcome, Outcome)| Played {
        theirs,
        ours,
        again: None,
    };
    Ok(theirs?.into_iter().zip(ours?).map(pair).collect())
}

fn explanations() -> PathBuf {
    crate::repository().join("xtask/src/conformance/kustomizations/explained.yaml")
}

#[test]
fn every_explanation_is_a_row_of_the_differences() {
    let explanations = ExpectedDifferences::read(&explanations());
    explanations.assert_rows_of(&crate::repository().join("docs/differences.md"));
    let known = BTreeSet::from(["corpus", "failing", "encrypted"].map(str::to_owned));
    assert_eq!(explanations.unknown_scenarios(&known), BTreeSet::new());
}
