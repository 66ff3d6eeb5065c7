//! `cargo xtask conformance kustomize DIR…`: builds every kustomization of a tree with the pinned
//! binary and with our engine.
//!
//! Each build runs in its own process. A panic, a hang or memory growth becomes a line of the
//! report. Kustomizations that need network, helm or a plugin are counted separately. So are those
//! for which the reference gives two different results.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use sluice_kustomize::fs::DiskFs;
use sluice_kustomize::{FILE_NAMES, Options, build};
use sluice_system::fs;
use sluice_testkit::kustomize::{
    Flags, Kustomize, Outcome, Verdict, class_of, compare, first_difference,
};

/// The line with the cost of our build.
const COST: &str = "cpu-nanoseconds: ";

#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Trees with kustomizations
    #[arg(required = true)]
    directories: Vec<PathBuf>,
    /// Defaults of the build
    #[arg(long, value_enum, default_value_t = Mode::Cli)]
    mode: Mode,
    /// Path of another reference binary
    #[arg(long)]
    oracle: Option<PathBuf>,
    /// Directory that caches the reference's answers for unchanged trees
    #[arg(long)]
    answers: Option<PathBuf>,
    /// Number of parallel builds
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// Timeout of one build, in seconds
    #[arg(long, default_value_t = 60)]
    limit: u64,
    /// Print a JSON document instead of text
    #[arg(long)]
    json: bool,
    /// Fail below this percentage of identical results
    #[arg(long, default_value_t = 0.0)]
    at_least: f64,
}

#[derive(clap::Args, Debug)]
pub(crate) struct SingleBuild {
    directory: PathBuf,
    #[arg(long, value_enum, default_value_t = Mode::Cli)]
    mode: Mode,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Mode {
    /// The command `kustomize build`
    Cli,
    /// A build inside Flux: unsorted, unrestricted
    Flux,
}

/// Result of one kustomization.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Identical,
    SameFailure,
    Different,
    OtherFailure,
    WeFail,
    TheyFail,
    OutOfReach,
    Unstable,
}

impl Kind {
    const ALL: [Self; 8] = [
        Self::Identical,
        Self::SameFailure,
        Self::Different,
        Self::OtherFailure,
        Self::WeFail,
        Self::TheyFail,
        Self::OutOfReach,
        Self::Unstable,
    ];

    fn label(self) -> &'static str {
        match self {
            Self::Identical => "identical",
            Self::SameFailure => "both fail with the same class",
            Self::Different => "different bytes",
            Self::OtherFailure => "both fail, for other reasons",
            Self::WeFail => "we fail",
            Self::TheyFail => "they fail",
            Self::OutOfReach => "needs network, helm or a plugin",
            Self::Unstable => "the reference disagrees with itself",
        }
    }

    fn is_comparable(self) -> bool {
        !matches!(self, Self::OutOfReach | Self::Unstable)
    }

    fn agrees(self) -> bool {
        matches!(self, Self::Identical | Self::SameFailure)
    }
}

struct Row {
    directory: PathBuf,
    kind: Kind,
    /// Class of the reference's error, if any.
    class: String,
    difference: String,
    /// Fields of the kustomization file, for coverage.
    fields: Vec<String>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let oracle = match &args.oracle {
        Some(path) => Kustomize::at(path),
        None => Kustomize::find().context("the pinned kustomize cannot be had")?,
    };
    let mut directories = Vec::new();
    for directory in &args.directories {
        let directory = fs::canonicalize(directory)?;
        find(&directory, &mut directories)?;
    }
    let before = children_cpu();
    let our_cpu = AtomicU64::new(0);
    let next = AtomicUsize::new(0);
    let rows = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..args.jobs.max(1) {
            scope.spawn(|| {
                while let Some(directory) = directories.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let row = judge(&oracle, directory, args, &our_cpu);
                    let mut rows = rows.lock().unwrap_or_else(PoisonError::into_inner);
                    rows.push(row);
                }
            });
        }
    });
    let mut rows = rows.into_inner().unwrap_or_else(PoisonError::into_inner);
    rows.sort_by(|left, right| left.directory.cmp(&right.directory));
    let ours = Duration::from_nanos(our_cpu.into_inner());
    let theirs = children_cpu().saturating_sub(before).saturating_sub(ours);
    report(&rows, args.json, ours, theirs);
    let comparable = rows.iter().filter(|row| row.kind.is_comparable()).count();
    let agreeing = rows.iter().filter(|row| row.kind.agrees()).count();
    anyhow::ensure!(
        percent(agreeing, comparable) >= args.at_least,
        "fewer than {} % agree",
        args.at_least
    );
    Ok(())
}

/// Collects folders with a kustomization file.
pub(super) fn find(directory: &Path, found: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    let entries = fs::read_dir(directory)?;
    let is_one = |name: &str| FILE_NAMES.contains(&name);
    let names = entries.iter().filter_map(|entry| entry.path.file_name());
    if names.filter_map(|name| name.to_str()).any(is_one) {
        found.push(directory.to_path_buf());
    }
    for entry in &entries {
        let is_git = entry.path.file_name().is_some_and(|name| name == ".git");
        if entry.file_type.is_dir() && !is_git {
            find(&entry.path, found)?;
        }
    }
    Ok(())
}

fn judge(oracle: &Kustomize, directory: &Path, args: &Args, our_cpu: &AtomicU64) -> Row {
    let limit = Duration::from_secs(args.limit);
    let flags = match args.mode {
        Mode::Cli => Flags::default(),
        Mode::Flux => Flags::flux(),
    };
    let ask = || portable(oracle.build_within(directory, flags, limit), directory);
    let theirs = match &args.answers {
        Some(answers) => remembered(&answers.join(key(directory, flags)), ask),
        None => ask(),
    };
    let class = theirs.as_ref().err().map(|error| class_of(error));
    let class = class.unwrap_or_default();
    let (ours, cpu) = ours(directory, args.mode, limit);
    let ours = portable(ours, directory);
    our_cpu.fetch_add(cpu, Ordering::Relaxed);
    let kind = match compare(&theirs, &ours) {
        _ if is_out_of_reach(&class) => Kind::OutOfReach,
        Verdict::Identical => Kind::Identical,
        Verdict::SameFailure => Kind::SameFailure,
        _ if ask() != theirs => Kind::Unstable,
        Verdict::Different => Kind::Different,
        Verdict::OtherFailure => Kind::OtherFailure,
        Verdict::WeFail => Kind::WeFail,
        Verdict::TheyFail => Kind::TheyFail,
    };
    let difference = if kind.is_comparable() && !kind.agrees() {
        first_difference(&theirs, &ours)
    } else {
        String::new()
    };
    Row {
        directory: directory.to_path_buf(),
        kind,
        class: class.chars().take(200).collect(),
        difference,
        fields: fields(directory),
    }
}

/// Returns the file name of a stored answer.
fn key(directory: &Path, flags: Flags) -> String {
    let mut hasher = DefaultHasher::new();
    (directory, format!("{flags:?}")).hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

fn remembered(path: &Path, ask: impl Fn() -> Outcome) -> Outcome {
    const BUILT: &str = "built\n";
    const FAILED: &str = "failed\n";
    if let Ok(known) = fs::read_to_string(path) {
        if let Some(text) = known.strip_prefix(BUILT) {
            return Ok(text.to_owned());
        }
        if let Some(text) = known.strip_prefix(FAILED) {
            return Err(text.to_owned());
        }
    }
    let answer = ask();
    let kept = match &answer {
        Ok(text) => format!("{BUILT}{text}"),
        Err(text) => format!("{FAILED}{text}"),
    };
    if let Err(error) = fs::write_atomically(path, kept) {
        eprintln!("the answer is not kept: {error}");
    }
    answer
}

fn is_out_of_reach(class: &str) -> bool {
    matches!(
        class,
        "HelmDenied" | "PluginDenied" | "RemoteFailed" | "RemoteTimeout"
    )
}

/// Returns the field names of the kustomization file.
fn fields(directory: &Path) -> Vec<String> {
    let read = |name: &&str| fs::read(directory.join(name)).ok();
    let Some(bytes) = FILE_NAMES.iter().find_map(read) else {
        return Vec::new();
    };
    match sluice_yaml::v2::from_slice(&bytes) {
        Ok(sluice_yaml::Value::Object(map)) => map.keys().cloned().collect(),
        _ => Vec::new(),
    }
}

fn portable(outcome: Outcome, directory: &Path) -> Outcome {
    outcome.map_err(|error| error.replace(&directory.display().to_string(), "{root}"))
}

/// Builds in a separate process.
fn ours(directory: &Path, mode: Mode, limit: Duration) -> (Outcome, u64) {
    match started(directory, mode, limit) {
        Ok(answer) => answer,
        Err(error) => (Err(format!("ours did not run: {error:#}")), 0),
    }
}

fn started(directory: &Path, mode: Mode, limit: Duration) -> anyhow::Result<(Outcome, u64)> {
    let captured = tempfile::tempdir()?;
    let file = |name| std::fs::File::create(captured.path().join(name));
    let mode = match mode {
        Mode::Cli => "cli",
        Mode::Flux => "flux",
    };
    let mut child = Command::new(std::env::current_exe()?)
        .args(["conformance", "build", "--mode", mode])
        .arg(directory)
        .stdin(Stdio::null())
        .stdout(file("out")?)
        .stderr(file("error")?)
        .spawn()?;
    let deadline = Instant::now() + limit;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if Instant::now() > deadline {
            child.kill()?;
            child.wait()?;
            return Ok((Err(format!("timed out after {} s", limit.as_secs())), 0));
        }
        std::thread::sleep(Duration::from_millis(1));
    };
    let text = |name| fs::read(captured.path().join(name));
    let message = String::from_utf8_lossy(&text("error")?).into_owned();
    let (error, cost) = match message.rsplit_once(COST) {
        Some((error, cost)) => (error.to_owned(), cost.trim().parse().unwrap_or_default()),
        None => (format!("panic: {message}"), 0),
    };
    let outcome = if status.success() {
        Ok(String::from_utf8_lossy(&text("out")?).into_owned())
    } else {
        Err(error.trim_end().to_owned())
    };
    Ok((outcome, cost))
}

/// Builds one folder, prints the result and the cost, and exits with the status.
#[expect(clippy::exit, reason = "the cost is the last line of the output")]
pub(crate) fn build_one(one: &SingleBuild) {
    let options = match one.mode {
        Mode::Cli => Options::cli(),
        Mode::Flux => {
            let mut options = Options::flux();
            options.limits = Options::cli().limits;
            options
        }
    };
    let built = build(&DiskFs, &one.directory, &options);
    let failed = built.is_err();
    match built {
        Ok(built) => print!("{}", built.to_yaml()),
        Err(error) => eprintln!("{error}"),
    }
    // The first number is the processor time in nanoseconds.
    let spent = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let spent = spent.split_whitespace().next().unwrap_or("0").to_owned();
    eprintln!("{COST}{spent}");
    if failed {
        std::process::exit(1);
    }
}

/// Returns the processor time of all ended children.
fn children_cpu() -> Duration {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // Fields start after the command name, which may contain any text.
    let fields = stat.rsplit(')').next().unwrap_or_default();
    let ticks: u64 = fields
        .split_whitespace()
        .skip(13)
        .take(2)
        .filter_map(|field| field.parse::<u64>().ok())
        .sum();
    Duration::from_millis(ticks * 10)
}

fn percent(part: usize, whole: usize) -> f64 {
    if whole == 0 {
        return 100.0;
    }
    #[expect(clippy::cast_precision_loss, reason = "counts are small")]
    let percent = 100.0 * part as f64 / whole as f64;
    percent
}

fn report(rows: &[Row], json: bool, ours: Duration, theirs: Duration) {
    let count = |kind| rows.iter().filter(|row| row.kind == kind).count();
    let comparable = rows.iter().filter(|row| row.kind.is_comparable()).count();
    let agreeing = rows.iter().filter(|row| row.kind.agrees()).count();
    let mut covered: BTreeMap<&str, usize> = BTreeMap::new();
    let comparable_rows = rows.iter().filter(|row| row.kind.is_comparable());
    for field in comparable_rows.flat_map(|row| &row.fields) {
        *covered.entry(field).or_default() += 1;
    }
    let ratio = ours.as_secs_f64() / theirs.as_secs_f64().max(f64::EPSILON);
    if json {
        let cases: Vec<_> = rows
            .iter()
            .map(|row| {
                serde_json::json!({
                    "directory": row.directory,
                    "verdict": row.kind.label(),
                    "class": row.class,
                    "fields": row.fields,
                    "difference": row.difference,
                })
            })
            .collect();
        let summary = serde_json::json!({
            "identical": agreeing,
            "comparable": comparable,
            "found": rows.len(),
            "cpuRatio": ratio,
            "fields": covered,
            "cases": cases,
        });
        println!("{summary:#}");
        return;
    }
    for row in rows.iter().filter(|row| !row.difference.is_empty()) {
        println!("== {}: {}", row.directory.display(), row.kind.label());
        println!("{}", row.difference);
    }
    println!(
        "identical {agreeing} of {comparable} ({:.2} %)",
        percent(agreeing, comparable)
    );
    for kind in Kind::ALL {
        println!("  {:5} {}", count(kind), kind.label());
    }
    let fields: Vec<_> = covered
        .iter()
        .map(|(field, count)| format!("{field} {count}"))
        .collect();
    println!("  fields: {}", fields.join(", "));
    println!(
        "  processor time: ours {:.2} s, theirs {:.2} s, ratio {ratio:.3}",
        ours.as_secs_f64(),
        theirs.as_secs_f64()
    );
}
