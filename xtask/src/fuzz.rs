//! `cargo xtask fuzz TARGET --minutes N`: random inputs for properties that must always hold.
//!
//! A target is a function over bytes that panics when a property is violated. The task runs it over
//! inputs that grow from the target's seeds (see [`inputs`]); one seed gives one sequence. It runs
//! without coverage guidance, which needs a nightly compiler. The seeds cover the whole language
//! instead. For a long run use `cargo run --profile fuzz -p xtask -- fuzz …`, which is optimised
//! and checks arithmetic.
//!
//! Each target runs in its own process. A finding is a panic, or the end of that process by a stack
//! overflow or [`MAX_MEMORY`]. An input beyond [`INPUT_TIMEOUT`] is one too, and an input beyond
//! its share of time and memory ([`excess`]). Its input is written below `--findings` and belongs
//! into a test of the crate. A new target needs a line in [`TARGETS`] and a file below `fuzz/`.
//! Records are in `tests/bench/records/`.

mod apply;
mod archive;
mod buckets;
mod charts;
mod copies;
mod definitions;
mod expressions;
mod git;
mod inputs;
mod kustomize;
mod notary;
mod patch;
mod reconcile;
mod registries;
mod signatures;
mod sops;
mod templates;
mod webhooks;
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

/// Maximum processor time of one input.
const INPUT_TIMEOUT: Duration = Duration::from_secs(5);

/// Processor time that any input may take, and that of each of its bytes. A build without
/// optimisation takes a tenth of it.
const FREE_TIME: Duration = Duration::from_secs(1);
const TIME_PER_BYTE: Duration = Duration::from_micros(500);

/// Memory by which any input may raise the peak, and that of each of its bytes.
const FREE_MIB: u64 = 256;
const KIB_PER_BYTE: u64 = 64;

/// Maximum address space of a process, in bytes.
const MAX_MEMORY: u64 = 2 << 30;

/// Interval of progress messages.
const NEWS: Duration = Duration::from_mins(5);

/// Maximum number of findings of a run.
const ENOUGH: u32 = 20;

/// A function, its seeds and its words.
struct Target {
    name: &'static str,
    run: fn(&[u8]),
    /// Initial inputs.
    seeds: fn() -> Vec<Vec<u8>>,
    /// Words of the language.
    words: &'static [&'static str],
}

/// All targets.
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
    buckets::PAGES,
    copies::COPIES,
    reconcile::KUSTOMIZATION,
    templates::TEMPLATES,
    templates::FORMATS,
    charts::ARCHIVES,
    charts::RENDER,
    charts::SCHEMA,
    charts::STRVALS,
    charts::INDEX,
    charts::RECORDS,
    charts::IGNORE,
    git::PROTOCOL,
    git::PACKS,
    git::SIGNATURES,
    git::KNOWN_HOSTS,
    git::IGNORE_RULES,
    registries::MANIFESTS,
    registries::LOGINS,
    registries::TRUST,
    notary::SIGNATURES,
    registries::VERSIONS,
    signatures::KEYLESS,
    webhooks::CALLS,
    webhooks::EVENTS,
    webhooks::MARKERS,
];

#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Target to run: a name, `all`, or `list` to print the names
    target: String,
    /// Minutes of processor time for each target
    #[arg(long, default_value_t = 1.0)]
    minutes: f64,
    /// Seed of the inputs
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Directory for inputs that violate a property
    #[arg(long, value_name = "DIR", default_value = "target/fuzz")]
    findings: PathBuf,
    /// Run only this input, in this process
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
        bail!(
            "unknown target {}\nhint: `list` prints the names",
            args.target
        );
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

/// Runs a target in a separate process. Returns whether all properties held.
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
    // We report a violated property ourselves.
    std::panic::set_hook(Box::new(|_| {}));
    let (mut count, mut findings, mut slowest) = (0_u64, 0, Duration::ZERO);
    let started = Instant::now();
    let mut reported = started;
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
        let (peak, busy) = (peak_mib(), processor_time());
        let outcome = std::panic::catch_unwind(AssertUnwindSafe(|| (target.run)(&input)));
        slowest = slowest.max(begun.elapsed());
        count += 1;
        let taken = processor_time().saturating_sub(busy);
        if let Some(excess) = excess(input.len(), taken, peak_mib().saturating_sub(peak)) {
            let file = keep(&args.findings, target.name, &input)?;
            println!("{}: {excess}", file.display());
            findings += 1;
        }
        if reported.elapsed() > NEWS {
            reported = Instant::now();
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

/// Returns the peak memory of this process.
fn peak_mib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = peak.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok());
    kib.unwrap_or_default() / 1024
}

/// Why an input of this many bytes takes too much; `None` if it does not. Only a higher peak of the
/// process is seen, so the first expensive input counts.
fn excess(bytes: usize, time: Duration, grown_mib: u64) -> Option<String> {
    let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
    let allowed = FREE_TIME + TIME_PER_BYTE.saturating_mul(bytes);
    if time > allowed {
        return Some(format!(
            "{bytes} bytes take {time:?}, at most {allowed:?} are allowed"
        ));
    }
    let allowed = FREE_MIB + u64::from(bytes) * KIB_PER_BYTE / 1024;
    (grown_mib > allowed)
        .then(|| format!("{bytes} bytes take {grown_mib} MiB, at most {allowed} are allowed"))
}

/// Stores the current input in a file, which survives the process.
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

    /// The length precedes the input, because an earlier input may have been longer.
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

/// Ends the process when an input takes too much processor time. Wall-clock time would depend on
/// the machine's load.
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
                std::thread::sleep(INPUT_TIMEOUT / 10);
                let (now, used) = (watched.load(Ordering::Relaxed), processor_time());
                if now != at {
                    (at, since) = (now, used);
                } else if used.saturating_sub(since) > INPUT_TIMEOUT {
                    println!("an input takes longer than {INPUT_TIMEOUT:?}");
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

/// Returns the processor time of this process.
fn processor_time() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // Fields start after the command name, which may contain any text.
    let fields = stat.rsplit(')').next().unwrap_or_default();
    let fields = fields.split_whitespace().skip(11).take(2);
    let ticks: u64 = fields.filter_map(|field| field.parse::<u64>().ok()).sum();
    Duration::from_millis(ticks * 10)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::inputs::Inputs;
    use super::{TARGETS, excess};

    #[test]
    fn time_and_memory_are_bounded_per_byte() {
        let second = Duration::from_secs(1);
        assert_eq!(excess(0, second, 256), None);
        assert_eq!(excess(2000, second * 2, 256 + 125), None);
        assert!(
            excess(0, second * 2, 0)
                .unwrap()
                .starts_with("0 bytes take 2s")
        );
        assert!(
            excess(16, second, 258)
                .unwrap()
                .starts_with("16 bytes take 258 MiB")
        );
    }

    #[test]
    fn targets_hold_on_seeds_and_derived_inputs() {
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
