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

use super::measure::{Figures, Program, release_build};

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Shapes to build (default: all)
    #[arg(long, value_enum, value_delimiter = ',')]
    shapes: Vec<inputs::Shape>,
    /// Turns of each side
    #[arg(long, default_value_t = 10)]
    turns: usize,
    /// Seconds after which a shape gets no further turn; the reference needs minutes for the
    /// largest
    #[arg(long, default_value_t = 300)]
    patience: u64,
    /// Binary to measure (default: a release build of this tree)
    #[arg(long)]
    binary: Option<PathBuf>,
    /// Example `in_process` to measure (default: a release build of this tree)
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
    let looped = match &args.in_process {
        Some(path) => path.clone(),
        None => release_build(
            &["--package", "sluice-kustomize", "--example", "in_process"],
            "examples/in_process",
        )?,
    };
    let place = tempfile::tempdir()?;
    let library = reference_loop(place.path())?;
    let shapes = if args.shapes.is_empty() {
        inputs::Shape::all()
    } else {
        args.shapes.clone()
    };
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
        if let Some((repeat, threads, targets)) = shape.in_process() {
            let repeat = repeat.to_string();
            let options = ["--threads", threads, "--repeat", &repeat];
            let ours = Program::new(&looped, &options, &folders).tells_time();
            let theirs = Program::new(&library, &[&repeat], &folders).tells_time();
            let name = format!("{}, in process, {threads} threads", shape.name());
            rows.push(take_turns(args, &name, targets, [&ours, &theirs], &[])?);
        }
    }
    let growth = growth(&rows);
    if let Some(growth) = growth {
        println!("\n10,000 objects take {growth:.1} times as long as 1,000 (aim: at most 14)");
    }
    if let Some(path) = &args.record {
        record(path, &rows, growth)?;
    }
    let missed: Vec<_> = rows
        .iter()
        .filter(|row| row.misses())
        .map(|row| &*row.name)
        .collect();
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
    let patience = Duration::from_secs(args.patience);
    let is_too_long = row.theirs.median() > patience;
    if ours.is_timer() || !is_too_long {
        // Memory is sampled only in turns that take minutes.
        for figures in [&mut row.ours, &mut row.theirs] {
            *figures = Figures::peaking_at(figures.peak_mib);
        }
        let began = std::time::Instant::now();
        for turn in 0..args.turns.max(1) {
            if turn >= 1 && began.elapsed() > patience {
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

fn record(path: &Path, rows: &[Row], growth: Option<f64>) -> anyhow::Result<()> {
    let record = json!({
        "command": "cargo xtask bench kustomize",
        "cores": std::thread::available_parallelism()?.get(),
        "growthFromThousandToTenThousand": growth,
        "rows": rows.iter().map(Row::to_value).collect::<Vec<_>>(),
    });
    std::fs::write(path, serde_json::to_string_pretty(&record)? + "\n")
        .with_context(|| format!("write {}", path.display()))
}
