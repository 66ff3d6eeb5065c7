//! `cargo xtask vectors`: records and compares answers of Go's libraries.
//!
//! Without arguments it records the answers for the vectors that the tests of
//! `crates/kubernetes/object` and `crates/language/cel` replay. The diff shows the effect of new
//! versions in a `tests/oracle/go.mod`. `--compare` asks generated questions on both sides and
//! prints the differences. `tests/bench/records/` keeps records of runs. With a `helm` in
//! `REFERENCE_BIN_DIR` it also records the output of the charts of `crates/content/chart`.
//! Helm's packages answer the vectors of `crates/content/helm`. The requests of
//! notification-controller are recorded too.

use std::time::Instant;

use anyhow::{Context as _, bail};
use sluice_oracle::{Question, Random, Subject, Suite};
use sluice_system::fs;

mod charts;
#[path = "../../crates/kubernetes/object/tests/differential/documents.rs"]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod documents;
#[path = "../../crates/language/cel/tests/differential/expressions.rs"]
mod expressions;
mod helm;
#[path = "../../crates/kubernetes/object/tests/differential/manifests.rs"]
mod manifests;
mod notifications;
#[path = "../../crates/language/cel/tests/differential/subject.rs"]
mod subject;
#[path = "../../crates/kubernetes/object/tests/differential/subjects.rs"]
mod subjects;

/// Questions per batch.
const BATCH: usize = 20_000;
/// Printed differences per subject.
const MAX_PRINTED: usize = 10;

/// Record answers of Go's libraries and Helm, or compare with Go's
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Compare this many generated questions of each kind
    #[arg(long, value_name = "COUNT")]
    compare: Option<usize>,
    /// Seed of the generated questions
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Use only the questions of this kind, named like its vectors file
    #[arg(long, value_name = "KIND")]
    only: Option<String>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let is_selected = |name: &str| args.only.as_deref().is_none_or(|only| only == name);
    let crates = crate::repository().join("crates");
    let objects = Suite::new(crates.join("kubernetes/object/tests"));
    let expressions = Suite::new(crates.join("language/cel/tests"));
    let asked = subjects::Subject::ALL.into_iter();
    let asked: Vec<_> = asked
        .filter(|subject| is_selected(subject.name()))
        .collect();
    let mut found = 0;
    for subject in &asked {
        found += ask(&objects, *subject, args, |random| match subject {
            subjects::Subject::JsonPatch => documents::json_patch(random),
            subjects::Subject::MergePatch => documents::merge_patch(random),
            subjects::Subject::Strategic => manifests::pair(random),
            subjects::Subject::Selector => documents::selector(random),
            subjects::Subject::Regexp => documents::pattern(random),
        })?;
    }
    if is_selected(subject::Cel.name()) {
        found += ask(&expressions, subject::Cel, args, expressions::question)?;
    } else if asked.is_empty()
        && ![charts::NAME, helm::NAME, notifications::NAME]
            .into_iter()
            .any(is_selected)
    {
        bail!("--only names no kind of question: see --help");
    }
    if is_selected(charts::NAME) && args.compare.is_none() {
        charts::record()?;
    }
    if is_selected(helm::NAME) && args.compare.is_none() {
        helm::record()?;
    }
    if is_selected(notifications::NAME) && args.compare.is_none() {
        notifications::record()?;
    }
    if found > 0 {
        bail!("{found} answers differ");
    }
    Ok(())
}

/// Records or compares one subject, and returns the number of differences.
fn ask(
    suite: &Suite,
    subject: impl Subject,
    args: &Args,
    generate: impl Fn(&mut Random) -> Question,
) -> anyhow::Result<usize> {
    let target = tempfile::tempdir()?;
    let oracle = suite.build(target.path()).map_err(anyhow::Error::msg)?;
    let Some(count) = args.compare else {
        let path = suite.vectors(subject);
        let recorded = fs::read_to_string(&path)?;
        let answered = oracle
            .fill_in(subject.name(), &recorded)
            .map_err(anyhow::Error::msg)?;
        fs::write(&path, &answered)?;
        let changed = recorded.lines().zip(answered.lines());
        let changed = changed.filter(|(before, after)| before != after).count();
        println!("{}: {changed} answers changed", subject.name());
        return Ok(0);
    };
    let started = Instant::now();
    let mut random = Random::new(args.seed);
    let (mut left, mut found) = (count, 0);
    while left > 0 {
        let batch = left.min(BATCH);
        left -= batch;
        let questions: Vec<_> = (0..batch).map(|_| generate(&mut random)).collect();
        let differences = oracle
            .differences(subject, &questions)
            .map_err(anyhow::Error::msg)
            .with_context(|| format!("asking about {}", subject.name()))?;
        for difference in differences.iter().take(MAX_PRINTED.saturating_sub(found)) {
            println!("{difference}");
        }
        found += differences.len();
    }
    let seconds = started.elapsed().as_secs();
    println!(
        "{}: {found} of {count} differ, in {seconds} s",
        subject.name()
    );
    Ok(found)
}
