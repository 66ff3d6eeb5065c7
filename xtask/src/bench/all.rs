//! Runs the benches one after another, each as a process of its own with a record of its own.
//!
//! [`STEPS`] has the sizes: about an hour on two cores with all controllers of the reference. A
//! bench that fails does not stop the others, and is named at the end.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context as _, ensure};

use super::measure::release_build;

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Steps to run, by their names (default: all)
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Use sizes that show in a few minutes whether each bench works
    #[arg(long)]
    small: bool,
    /// Directory of the records
    #[arg(long, default_value = "target/bench")]
    records: PathBuf,
    /// Binary to measure (default: a release build of this tree)
    #[arg(long)]
    binary: Option<PathBuf>,
}

/// One bench with its arguments.
#[derive(Debug)]
struct Step {
    /// The kind of the record.
    name: &'static str,
    /// Subcommand and sizes.
    words: &'static str,
    /// Subcommand and sizes of `--small`. Without any, `--small` leaves the bench out.
    small: &'static str,
}

const fn step(name: &'static str, words: &'static str, small: &'static str) -> Step {
    Step { name, words, small }
}

/// All steps, the most telling first.
const STEPS: &[Step] = &[
    step(
        "whole",
        "whole",
        "whole --kustomizations 5 --releases 2 --seconds 2 --parts single,apart",
    ),
    step("cli", "cli --turns 5", "cli --turns 1 --parts start"),
    step(
        "mttp-apart",
        "mttp --apart --source oci-pairs --objects 1000",
        "mttp --apart --source oci-pairs --objects 5",
    ),
    step(
        "mttp-helm",
        "mttp --kind helm --apart --objects 500",
        "mttp --kind helm --apart --objects 5",
    ),
    step(
        "apply-reference",
        "apply --objects 10,100,1500 --runs 5 --chain 0 --fan-out 0 --secrets 0 --queue 0 --pods 0",
        "apply --objects 5 --runs 1 --chain 0 --fan-out 0 --secrets 0 --queue 0 --pods 0",
    ),
    step(
        "idle-reference",
        "idle --seconds 360 --interval 5m",
        "idle --seconds 2 --kustomizations 5 --objects 1",
    ),
    step(
        "drift",
        "drift",
        "drift --kustomizations 2 --edits 2 --runs 1",
    ),
    step(
        "helm-sources",
        "helm-sources --charts 1000",
        "helm-sources --charts 5 --index 1",
    ),
    step(
        "source",
        "source --history 256 --files 50000",
        "source --objects 5 --interval 10 --history 1 --files 100 --downloads 5",
    ),
    step("bucket", "bucket", "bucket --objects 20"),
    step(
        "notify",
        "notify",
        "notify --events 20 --providers 2 --down 2 --webhooks 5 --rate 5 --seconds 2",
    ),
    step(
        "image",
        "image --runs 2",
        "image --runs 1 --tags 100 --files 60 --markers 5 --repositories 5 --listed 5 --artifact 100 --directories 5",
    ),
    step(
        "kustomize",
        "kustomize --shapes small,thousand,deep,shared,many --turns 5 --max-seconds 30",
        "kustomize --check --turns 2",
    ),
    step("helm", "helm --turns 5", ""),
    step("yaml", "yaml", "yaml --turns 1 --objects 5"),
    step("micro", "micro", "micro --runs 1"),
    step(
        "identity",
        "identity",
        "identity --objects 5 --accounts 5 --workers 2",
    ),
];

/// Benches that build what they measure, or run in this process.
const WITHOUT_BINARY: &[&str] = &["yaml", "micro", "identity"];

pub(super) fn run(args: &Args, is_quick: bool) -> anyhow::Result<()> {
    let steps = select(&args.only)?;
    let binary = match &args.binary {
        Some(path) => path.clone(),
        None => release_build(&["--package", "sluice"], "sluice")?,
    };
    std::fs::create_dir_all(&args.records)
        .with_context(|| format!("create {}", args.records.display()))?;
    let date = jiff::Zoned::now().date();
    let mut failed = Vec::new();
    for step in steps {
        if args.small && step.small.is_empty() {
            println!("\n## {}\n\nleft out: it has no small size", step.name);
            continue;
        }
        let record = args.records.join(format!("{date}-{}.json", step.name));
        let words = arguments(step, args.small, is_quick, &binary, &record);
        println!("\n## {}\n", step.name);
        let began = Instant::now();
        let status = Command::new(std::env::current_exe()?)
            .args(&words)
            .status()
            .context("start a bench")?;
        println!(
            "\n{}: {status}, {:.0} s",
            step.name,
            began.elapsed().as_secs_f64()
        );
        if !status.success() {
            failed.push(step.name);
        }
    }
    ensure!(failed.is_empty(), "benches failed: {}", failed.join(", "));
    Ok(())
}

/// Returns the steps with these names, or all without names.
fn select(names: &[String]) -> anyhow::Result<Vec<&'static Step>> {
    let known: Vec<&str> = STEPS.iter().map(|step| step.name).collect();
    for name in names {
        ensure!(
            known.contains(&name.as_str()),
            "unknown step '{name}', must be one of: {}",
            known.join(", ")
        );
    }
    let is_wanted = |step: &&Step| names.is_empty() || names.iter().any(|name| name == step.name);
    Ok(STEPS.iter().filter(is_wanted).collect())
}

/// Returns the arguments of the process of a step.
fn arguments(
    step: &Step,
    is_small: bool,
    is_quick: bool,
    binary: &Path,
    record: &Path,
) -> Vec<String> {
    let mut words = vec!["bench".to_owned()];
    if is_quick {
        words.push("--quick".to_owned());
    }
    let sizes = if is_small { step.small } else { step.words };
    words.extend(sizes.split_whitespace().map(str::to_owned));
    if !WITHOUT_BINARY.contains(&step.name) {
        words.extend(["--binary".to_owned(), binary.display().to_string()]);
    }
    words.extend(["--record".to_owned(), record.display().to_string()]);
    words
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;

    #[derive(clap::Parser)]
    struct Line {
        #[command(flatten)]
        args: crate::bench::Args,
    }

    #[test]
    fn arguments_of_every_step_are_known() {
        for step in STEPS {
            for is_small in [false, !step.small.is_empty()] {
                let words = arguments(step, is_small, true, Path::new("b"), Path::new("r"));
                let parsed = Line::try_parse_from(words);
                assert!(parsed.is_ok(), "{}: {:?}", step.name, parsed.err());
            }
        }
    }

    #[test]
    fn only_selects_named_steps() {
        let names = ["drift".to_owned(), "cli".to_owned()];
        let found: Vec<_> = select(&names).unwrap().iter().map(|it| it.name).collect();
        assert_eq!(found, ["cli", "drift"]);
        assert_eq!(select(&[]).unwrap().len(), STEPS.len());
    }

    #[test]
    fn unknown_step_is_refused() {
        let error = select(&["nothing".to_owned()]).unwrap_err().to_string();
        assert!(
            error.starts_with("unknown step 'nothing', must be one of: whole, cli"),
            "{error}"
        );
    }

    #[test]
    fn names_of_steps_are_unique() {
        let mut names: Vec<_> = STEPS.iter().map(|step| step.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), STEPS.len());
    }
}
