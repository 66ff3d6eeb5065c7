//! `cargo xtask fuzz TARGET --minutes N`: random inputs, for what may never happen.
//!
//! A target is a function over bytes that panics when a promise is broken. This
//! runs it in a loop over inputs that grow out of the target's seeds (see
//! [`inputs`]); the same seed makes the same inputs. There is no coverage to
//! steer by, as that needs a nightly compiler; seeds that already hold the whole
//! language make up for it, and another seed goes elsewhere. A build that checks
//! arithmetic is meant: `cargo run --profile fuzz -p xtask -- fuzz …` for a long
//! run, which is optimised and has those checks, too.
//!
//! Each target runs in a process of its own. A finding is a panic, the end of that
//! process (its stack, or [`MAX_MEMORY`] used up), or an input that takes longer
//! than [`PATIENCE`]. Its input is written below `--findings` and belongs into a
//! test of the crate at fault. To add a target: a line in [`TARGETS`] and its
//! functions in a file below `fuzz/`. Records of runs are kept under
//! `tests/bench/records/`.

mod apply;
mod archive;
mod definitions;
mod expressions;
mod inputs;
mod kustomize;
mod patch;
mod reconcile;
mod sops;
mod yaml;

use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use rustix::process::{Resource, Rlimit};

use inputs::Inputs;

/// How much of the processor's time one input may take.
const PATIENCE: Duration = Duration::from_secs(5);

/// How many bytes of address space a process may use.
const MAX_MEMORY: u64 = 2 << 30;

/// How often a long run says how far it is.
const NEWS: Duration = Duration::from_mins(5);

/// How many findings are enough to look at.
const ENOUGH: u32 = 20;

/// What is run, on what, and in which language.
struct Target {
    name: &'static str,
    run: fn(&[u8]),
    /// Inputs to begin with.
    seeds: fn() -> Vec<Vec<u8>>,
    /// Words that matter.
    words: &'static [&'static str],
}

/// Every target.
const TARGETS: &[Target] = &[
    yaml::V2,
    yaml::TREE,
    yaml::WRITERS,
    yaml::JSON,
    patch::STRATEGIC,
    patch::JSON_PATCH,
    patch::MERGE_PATCH,
    kustomize::SUBSTITUTION,
    kustomize::BUILD,
    sops::DOCUMENTS,
    sops::AGE,
    sops::PGP,
    expressions::CEL,
    definitions::DEFINITIONS,
    apply::MANAGED_FIELDS,
    apply::INVENTORY,
    archive::TAR,
    reconcile::KUSTOMIZATION,
];

#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// What to run: a target, `all`, or `list` to name them
    target: String,
    /// How many minutes of the processor's time, each
    #[arg(long, default_value_t = 1.0)]
    minutes: f64,
    /// Where the inputs begin
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Where to write inputs that break a promise
    #[arg(long, value_name = "DIR", default_value = "target/fuzz")]
    findings: PathBuf,
    /// Run this input only, in this process
    #[arg(long, value_name = "FILE")]
    input: Option<PathBuf>,
    /// Run in this process
    #[arg(long, hide = true)]
    here: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    if args.target == "list" {
        for target in TARGETS {
            println!("{}", target.name);
        }
        return Ok(());
    }
    let is_meant = |target: &&Target| args.target == "all" || args.target == target.name;
    let targets: Vec<_> = TARGETS.iter().filter(is_meant).collect();
    if targets.is_empty() {
        bail!("there is no target {}; `list` names them", args.target);
    }
    let mut broken = Vec::new();
    for target in targets {
        if let Some(file) = &args.input {
            (target.run)(&std::fs::read(file).with_context(|| file.display().to_string())?);
        } else if args.here {
            fuzz(target, args)?;
        } else if !apart(target, args)? {
            broken.push(target.name);
        }
    }
    if !broken.is_empty() {
        bail!("inputs broke a promise of {}", broken.join(", "));
    }
    Ok(())
}

/// Runs a target in a process of its own; tells whether every promise was kept.
fn apart(target: &Target, args: &Args) -> anyhow::Result<bool> {
    let this = std::env::current_exe().context("find this program")?;
    let status = Command::new(this)
        .args(["fuzz", target.name, "--here"])
        .args(["--minutes", &args.minutes.to_string()])
        .args(["--seed", &args.seed.to_string()])
        .arg("--findings")
        .arg(&args.findings)
        .status()
        .context("start this program again")?;
    let journal = Journal::path(&args.findings, target.name);
    if let Some(input) = Journal::left_over(&journal) {
        let file = keep(&args.findings, target.name, &input)?;
        println!("{}: ended the process: {status}", file.display());
        std::fs::remove_file(&journal)?;
    }
    Ok(status.success())
}

fn fuzz(target: &Target, args: &Args) -> anyhow::Result<()> {
    let limit = Rlimit {
        current: Some(MAX_MEMORY),
        maximum: Some(MAX_MEMORY),
    };
    rustix::process::setrlimit(Resource::As, limit).context("bound the memory")?;
    let duration = Duration::try_from_secs_f64(args.minutes * 60.0).context("--minutes")?;
    let mut inputs = Inputs::new(args.seed, (target.seeds)(), target.words);
    let mut journal = Journal::start(&args.findings, target.name)?;
    let watch = Watch::start();
    // A broken promise is reported by us.
    std::panic::set_hook(Box::new(|_| {}));
    let (mut count, mut findings, mut slowest) = (0_u64, 0, Duration::ZERO);
    let started = Instant::now();
    let mut told = started;
    let told_of = |count: u64, slowest: Duration, findings: u32| {
        println!(
            "{}: {count} inputs in {} s of the processor's time ({} s by the clock), the slowest {} ms, at most {} MiB, {findings} findings",
            target.name,
            processor_time().as_secs(),
            started.elapsed().as_secs(),
            slowest.as_millis(),
            peak_mib(),
        );
    };
    while processor_time() < duration && findings < ENOUGH {
        let input = inputs.next();
        journal.begin(&input)?;
        watch.begin();
        let begun = Instant::now();
        let outcome = std::panic::catch_unwind(AssertUnwindSafe(|| (target.run)(&input)));
        slowest = slowest.max(begun.elapsed());
        count += 1;
        if told.elapsed() > NEWS {
            told = Instant::now();
            told_of(count, slowest, findings);
        }
        if let Err(panic) = outcome {
            let file = keep(&args.findings, target.name, &input)?;
            let words: String = words_of(panic.as_ref()).chars().take(400).collect();
            println!("{}: {words}", file.display());
            findings += 1;
        }
    }
    drop(std::panic::take_hook());
    journal.finish()?;
    told_of(count, slowest, findings);
    if findings > 0 {
        bail!("{findings} inputs broke a promise of {}", target.name);
    }
    Ok(())
}

fn words_of(panic: &(dyn std::any::Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref().copied())
        .unwrap_or("a panic without words")
}

/// Writes an input to a file named after its content.
fn keep(folder: &Path, target: &str, input: &[u8]) -> anyhow::Result<PathBuf> {
    let digest = sluice_digest::Digest::of(input);
    let name = format!("{target}-{:.16}", digest.hex());
    let file = folder.join(name);
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(&file, input))
        .with_context(|| file.display().to_string())?;
    Ok(file)
}

/// The most memory that this process has held.
fn peak_mib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = peak.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok());
    kib.unwrap_or_default() / 1024
}

/// The input at hand, in a file: it is still there if the process is not.
struct Journal {
    file: File,
    path: PathBuf,
    entry: Vec<u8>,
}

impl Journal {
    fn path(folder: &Path, target: &str) -> PathBuf {
        folder.join(format!("{target}.current"))
    }

    fn start(folder: &Path, target: &str) -> anyhow::Result<Self> {
        let path = Self::path(folder, target);
        let file = std::fs::create_dir_all(folder).and_then(|()| File::create(&path));
        Ok(Self {
            file: file.with_context(|| path.display().to_string())?,
            path,
            entry: Vec::new(),
        })
    }

    /// Its length stands before it, as an earlier one may have been longer.
    fn begin(&mut self, input: &[u8]) -> anyhow::Result<()> {
        self.entry.clear();
        self.entry.extend((input.len() as u64).to_le_bytes());
        self.entry.extend(input);
        Ok(self.file.write_all_at(&self.entry, 0)?)
    }

    fn finish(self) -> anyhow::Result<()> {
        Ok(std::fs::remove_file(self.path)?)
    }

    fn left_over(path: &Path) -> Option<Vec<u8>> {
        let entry = std::fs::read(path).ok()?;
        let (length, input) = entry.split_first_chunk()?;
        let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
        input.get(..length).map(<[u8]>::to_vec)
    }
}

/// Ends the process when an input takes too long, by the processor's time: a busy
/// machine is no finding.
struct Watch {
    count: Arc<AtomicU64>,
}

impl Watch {
    fn start() -> Self {
        let count = Arc::new(AtomicU64::new(0));
        let watched = Arc::clone(&count);
        std::thread::spawn(move || {
            let (mut at, mut since) = (0, Duration::ZERO);
            loop {
                std::thread::sleep(PATIENCE / 10);
                let (now, used) = (watched.load(Ordering::Relaxed), processor_time());
                if now != at {
                    (at, since) = (now, used);
                } else if used.saturating_sub(since) > PATIENCE {
                    println!("an input takes longer than {PATIENCE:?}");
                    std::process::abort();
                }
            }
        });
        Self { count }
    }

    fn begin(&self) {
        self.count.fetch_add(1, Ordering::Relaxed);
    }
}

/// What this process has used of the processor.
fn processor_time() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // Fields are counted from behind the name, which may hold anything.
    let fields = stat.rsplit(')').next().unwrap_or_default();
    let fields = fields.split_whitespace().skip(11).take(2);
    let ticks: u64 = fields.filter_map(|field| field.parse::<u64>().ok()).sum();
    Duration::from_millis(ticks * 10)
}

#[cfg(test)]
mod tests {
    use super::TARGETS;
    use super::inputs::Inputs;

    #[test]
    fn every_target_keeps_its_promises_on_its_seeds_and_what_grows_out_of_them() {
        for target in TARGETS {
            let seeds = (target.seeds)();
            assert!(seeds.len() > 3, "{}: too few seeds", target.name);
            for seed in &seeds {
                (target.run)(seed);
            }
            let mut inputs = Inputs::new(7, seeds, target.words);
            for _ in 0..500 {
                (target.run)(&inputs.next());
            }
        }
    }
}
