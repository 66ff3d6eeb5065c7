//! Our builds beside the pinned `kustomize`, over generated overlays: whole processes, and many
//! builds within one process beside the reference's library.
//!
//! Outputs are compared before the measurement. Both sides take turns. The result is the median,
//! and the sum of processor time. The shapes are in [`inputs`]; [`super::measure`] measures a
//! process.

pub(super) mod inputs;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, ensure};
use serde_json::{Value, json};
use sluice_testkit::kustomize::Kustomize;

use super::limits::{self, Limit};
use super::measure::{Figures, Program, release_build};
use super::record::Record;

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Shapes to build (default: all)
    #[arg(long, value_enum, value_delimiter = ',')]
    shapes: Vec<inputs::Shape>,
    /// Turns of each side
    #[arg(long, default_value_t = 10)]
    turns: usize,
    /// Seconds after which a shape gets no further turn
    #[arg(long, alias = "patience", default_value_t = 300)]
    max_seconds: u64,
    /// Binary to measure (default: a release build of this tree)
    #[arg(long)]
    binary: Option<PathBuf>,
    /// Example `in_process` to measure instead of a release build
    #[arg(long)]
    in_process: Option<PathBuf>,
    /// Path of another reference binary
    #[arg(long)]
    oracle: Option<PathBuf>,
    /// Write the result as JSON to this file
    #[arg(long)]
    record: Option<PathBuf>,
    /// Fail if a target is missed
    #[arg(long)]
    strict: bool,
    /// Fail if two small shapes exceed their ratio to the reference
    #[arg(long)]
    check: bool,
}

/// Shapes of a check, which take seconds.
const CHECKED: [inputs::Shape; 2] = [inputs::Shape::Small, inputs::Shape::Thousand];

/// Limits of a debug build, which takes 0.75 and 0.10 of the time, and 1.83 and 0.51 of the memory.
const LIMITS: &[Limit] = &[
    ("10 objects: time", 2.3),
    ("10 objects: memory", 2.8),
    ("1,000 objects: time", 0.3),
    ("1,000 objects: memory", 1.0),
];

/// Maximum time of 10,000 objects, relative to 1,000.
const MAX_GROWTH: f64 = 14.0;

/// Programs that build many times within one process.
struct Loops {
    ours: PathBuf,
    theirs: PathBuf,
}

impl Loops {
    fn build(args: &Args, place: &Path) -> anyhow::Result<Self> {
        let ours = match &args.in_process {
            Some(path) => path.clone(),
            None => release_build(
                &["--package", "sluice-kustomize", "--example", "in_process"],
                "examples/in_process",
            )?,
        };
        let theirs = reference_loop(place)?;
        Ok(Self { ours, theirs })
    }
}

/// Results of a shape.
struct Row {
    name: String,
    ours: Figures,
    theirs: Figures,
    /// Target ratios of time and of memory.
    targets: (f64, Option<f64>),
    /// Lower bounds, by name.
    floors: Vec<(&'static str, Figures)>,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let oracle = match &args.oracle {
        Some(path) => Kustomize::at(path),
        None => Kustomize::find().context("the pinned kustomize cannot be had")?,
    };
    let binary = match &args.binary {
        Some(path) => path.clone(),
        None => release_build(&["--package", "sluice"], "sluice")?,
    };
    let mut record = Record::begin();
    for (side, path) in [("ours", binary.as_path()), ("reference", oracle.path())] {
        record.add_program(side, path)?;
    }
    let place = tempfile::tempdir()?;
    let shapes = match args.shapes.as_slice() {
        [] if args.check => CHECKED.to_vec(),
        [] => inputs::Shape::all(),
        shapes => shapes.to_vec(),
    };
    let is_looped = |shape: &inputs::Shape| !args.check && shape.in_process().is_some();
    let loops = shapes
        .iter()
        .any(is_looped)
        .then(|| Loops::build(args, place.path()))
        .transpose()?;
    let mut rows = Vec::new();
    println!(
        "| shape | ours | theirs | time | processor time | peak | theirs | memory | aim: time, memory |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for shape in shapes {
        let folder = place.path().join(shape.name());
        let folders = inputs::write(&folder, shape)?;
        if shape.is_whole_process() {
            let ours = Program::new(&binary, &["build", "overlay"], &folders);
            let theirs = Program::new(oracle.path(), &["build"], &folders);
            let floors = if shape == inputs::Shape::Small {
                process_floors(&binary)
            } else {
                Vec::new()
            };
            rows.push(take_turns(
                args,
                shape.name(),
                shape.targets(),
                [&ours, &theirs],
                &floors,
            )?);
        }
        if let Some(loops) = &loops
            && let Some((repeat, threads, targets)) = shape.in_process()
        {
            let repeat = repeat.to_string();
            let options = ["--threads", threads, "--repeat", &repeat];
            let ours = Program::new(&loops.ours, &options, &folders).reports_time();
            let theirs = Program::new(&loops.theirs, &[&repeat], &folders).reports_time();
            let name = format!("{}, in process, {threads} threads", shape.name());
            rows.push(take_turns(args, &name, targets, [&ours, &theirs], &[])?);
        }
    }
    let growth = growth(&rows);
    if let Some(growth) = growth {
        println!(
            "\n10,000 objects take {growth:.1} times as long as 1,000 (aim: at most {MAX_GROWTH})"
        );
    }
    let mut verdicts = Vec::new();
    if args.check {
        let ratios: Vec<_> = rows.iter().flat_map(Row::ratios).collect();
        verdicts = limits::judge(LIMITS, &ratios);
    }
    record.add_limits(&verdicts);
    record.write(
        args.record.as_deref(),
        json!({
            "growthFromThousandToTenThousand": growth,
            "rows": rows.iter().map(Row::to_value).collect::<Vec<_>>(),
        }),
    )?;
    limits::check(&verdicts)?;
    let mut missed: Vec<_> = rows
        .iter()
        .filter(|row| row.misses())
        .map(|row| &*row.name)
        .collect();
    if growth.is_some_and(|growth| growth > MAX_GROWTH) {
        missed.push("growth from 1,000 to 10,000 objects");
    }
    ensure!(
        !args.strict || missed.is_empty(),
        "missed: {}",
        missed.join(", ")
    );
    Ok(())
}

/// Builds the loop over the reference's library with the Go of the pinned tools.
fn reference_loop(place: &Path) -> anyhow::Result<PathBuf> {
    let program = place.join("library");
    let source = crate::repository().join("xtask/src/bench/kustomize/oracle");
    let status = Command::new("go")
        .args(["build", "-o"])
        .arg(&program)
        .current_dir(source)
        .status()
        .context("start go")?;
    ensure!(
        status.success(),
        "the loop over the reference's library does not build"
    );
    Ok(program)
}

/// Measures the start of a process, which dominates a small build.
fn process_floors(ours: &Path) -> Vec<(&'static str, Program)> {
    vec![
        (
            "ours, printing its version",
            Program::new(ours, &["version", "--client"], &[]),
        ),
        (
            "a program that does nothing",
            Program::new(Path::new("true"), &[], &[]),
        ),
    ]
}

/// Both sides and the floors take turns, so that load affects them equally.
fn take_turns(
    args: &Args,
    name: &str,
    targets: (f64, Option<f64>),
    [ours, theirs]: [&Program; 2],
    floors: &[(&'static str, Program)],
) -> anyhow::Result<Row> {
    let mut row = Row {
        name: name.to_owned(),
        ours: Figures::default(),
        theirs: Figures::default(),
        targets,
        floors: Vec::new(),
    };
    let (our_output, their_output) = (row.ours.add_watched(ours)?, row.theirs.add_watched(theirs)?);
    ensure!(
        ours.is_timer() || our_output == their_output,
        "the bytes of {name} differ: no figure is worth anything"
    );
    for (name, floor) in floors {
        let (_, peak) = floor.watched()?;
        row.floors.push((name, Figures::peaking_at(peak)));
    }
    let limit = Duration::from_secs(args.max_seconds);
    let is_too_long = row.theirs.median() > limit;
    if ours.is_timer() || !is_too_long {
        // Memory is sampled only in turns that take minutes.
        for figures in [&mut row.ours, &mut row.theirs] {
            *figures = Figures::peaking_at(figures.peak_mib);
        }
        let began = std::time::Instant::now();
        for turn in 0..args.turns.max(1) {
            if turn >= 1 && began.elapsed() > limit {
                break;
            }
            row.ours.add(ours)?;
            row.theirs.add(theirs)?;
            for ((_, floor), (_, figures)) in floors.iter().zip(&mut row.floors) {
                figures.add(floor)?;
            }
        }
    }
    println!("{}", row.line());
    for (name, floor) in &row.floors {
        let (time, peak) = (floor.median().as_secs_f64() * 1000.0, floor.peak_mib);
        println!("| – {name} | {time:.2} ms | | | | {peak:.1} MiB | | | floor |");
    }
    Ok(row)
}

impl Row {
    fn time(&self) -> f64 {
        self.ours.median().as_secs_f64() / self.theirs.median().as_secs_f64()
    }

    fn memory(&self) -> f64 {
        self.ours.peak_mib / self.theirs.peak_mib
    }

    fn processor(&self) -> f64 {
        self.ours.cpu.as_secs_f64() / self.theirs.cpu.as_secs_f64().max(0.01)
    }

    /// The ratios that have limits, for shapes of a check.
    fn ratios(&self) -> Vec<(&'static str, f64)> {
        match &*self.name {
            "10 objects" => vec![
                ("10 objects: time", self.time()),
                ("10 objects: memory", self.memory()),
            ],
            "1,000 objects" => vec![
                ("1,000 objects: time", self.time()),
                ("1,000 objects: memory", self.memory()),
            ],
            _ => Vec::new(),
        }
    }

    fn misses(&self) -> bool {
        self.time() > self.targets.0 || self.targets.1.is_some_and(|aim| self.memory() > aim)
    }

    fn line(&self) -> String {
        let millis = |time: Duration| format!("{:.2} ms", time.as_secs_f64() * 1000.0);
        let (ours, theirs) = (&self.ours, &self.theirs);
        let memory_aim = self
            .targets
            .1
            .map_or_else(String::new, |aim| format!(", {aim}"));
        format!(
            "| {} | {} | {} | {:.3} | {:.3} | {:.1} MiB | {:.1} MiB | {:.3} | {}{memory_aim}{} |",
            self.name,
            millis(ours.median()),
            millis(theirs.median()),
            self.time(),
            self.processor(),
            ours.peak_mib,
            theirs.peak_mib,
            self.memory(),
            self.targets.0,
            if self.misses() { ": missed" } else { "" },
        )
    }

    fn to_value(&self) -> Value {
        let floors = self.floors.iter();
        let floors: serde_json::Map<_, _> = floors
            .map(|(name, figures)| ((*name).to_owned(), figures.to_value()))
            .collect();
        json!({
            "shape": self.name,
            "ours": self.ours.to_value(),
            "theirs": self.theirs.to_value(),
            "timeRatio": self.time(),
            "processorRatio": self.processor(),
            "memoryRatio": self.memory(),
            "targets": {"time": self.targets.0, "memory": self.targets.1},
            "floors": floors,
        })
    }
}

fn growth(rows: &[Row]) -> Option<f64> {
    let of = |shape: inputs::Shape| {
        let row = rows.iter().find(|row| row.name == shape.name())?;
        Some(row.ours.median().as_secs_f64())
    };
    Some(of(inputs::Shape::TenThousand)? / of(inputs::Shape::Thousand)?)
}
