//! `cargo xtask vectors`: what Go's libraries say of patches, selectors and expressions.
//!
//! Without arguments it records their answers anew, for the vectors that the tests of
//! `crates/kubernetes/object` replay; after a change of versions in its `tests/oracle/go.mod` the diff shows
//! what became different. With `--compare` it asks them and us about generated questions
//! instead, as many as one has time for, and prints what is answered otherwise. Records of runs
//! are kept under `tests/bench/records/`.

use std::time::Instant;

use anyhow::{Context as _, bail};
use sluice_system::fs;

#[path = "../../crates/kubernetes/object/tests/differential/documents.rs"]
#[expect(
    clippy::unwrap_used,
    reason = "shared with the tests of crates/kubernetes/object"
)]
mod documents;
#[path = "../../crates/kubernetes/object/tests/differential/expressions.rs"]
mod expressions;
#[path = "../../crates/kubernetes/object/tests/differential/manifests.rs"]
mod manifests;
#[path = "../../crates/kubernetes/object/tests/differential/oracle.rs"]
mod oracle;
#[path = "../../crates/kubernetes/object/tests/differential/random.rs"]
mod random;

use oracle::{Do, Oracle, Question};
use random::Random;

/// How many questions are asked at once.
const BATCH: usize = 20_000;
/// How many differences are printed of each kind of question.
const SHOWN: usize = 10;

/// Record what Go says of patches, selectors and expressions, or compare with it
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Compare this many generated questions of each kind, and record nothing
    #[arg(long, value_name = "COUNT")]
    compare: Option<usize>,
    /// Where random questions begin
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Only questions of one kind, which is the name of its file of vectors
    #[arg(long, value_name = "KIND")]
    only: Option<String>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let root = crate::repository().join("crates/kubernetes/object/tests");
    let target = tempfile::tempdir()?;
    let oracle = Oracle::build(&root.join("oracle"), target.path()).map_err(anyhow::Error::msg)?;
    let asked: Vec<Do> = Do::ALL
        .into_iter()
        .filter(|what| args.only.as_deref().is_none_or(|only| only == what.name()))
        .collect();
    if asked.is_empty() {
        bail!("--only names no kind of question: see --help");
    }
    let mut found = 0;
    for what in asked {
        match args.compare {
            Some(count) => found += compare(&oracle, what, count, args.seed)?,
            None => {
                let path = root.join(format!("vectors/{}.jsonl", what.name()));
                let recorded = fs::read_to_string(&path)?;
                let answered = oracle
                    .fill_in(what, &recorded)
                    .map_err(anyhow::Error::msg)?;
                fs::write(&path, &answered)?;
                let changed = recorded.lines().zip(answered.lines());
                let changed = changed.filter(|(before, after)| before != after).count();
                println!("{}: {changed} answers changed", what.name());
            }
        }
    }
    if found > 0 {
        bail!("{found} questions are answered otherwise");
    }
    Ok(())
}

/// Asks generated questions, and prints what is answered otherwise.
fn compare(oracle: &Oracle, what: Do, count: usize, seed: u64) -> anyhow::Result<usize> {
    let started = Instant::now();
    let mut random = Random::new(seed);
    let (mut left, mut found) = (count, 0);
    while left > 0 {
        let batch = left.min(BATCH);
        left -= batch;
        let questions: Vec<_> = (0..batch).map(|_| generate(what, &mut random)).collect();
        let differences = oracle
            .differences(what, &questions)
            .map_err(anyhow::Error::msg)
            .with_context(|| format!("asking about {}", what.name()))?;
        for difference in differences.iter().take(SHOWN.saturating_sub(found)) {
            println!("{difference}");
        }
        found += differences.len();
    }
    let seconds = started.elapsed().as_secs();
    println!("{}: {found} of {count} differ, in {seconds} s", what.name());
    Ok(found)
}

fn generate(what: Do, random: &mut Random) -> Question {
    match what {
        Do::JsonPatch => documents::json_patch(random),
        Do::MergePatch => documents::merge_patch(random),
        Do::Strategic => manifests::pair(random),
        Do::Selector => documents::selector(random),
        Do::Regexp => documents::pattern(random),
        Do::Cel => expressions::question(random),
    }
}
